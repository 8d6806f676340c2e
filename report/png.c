/* SPDX-License-Identifier: BSD-3-Clause */
/* png.c - the picture as PNG: its SVG, drawn by librsvg
 *
 * librsvg comes with some forty libraries, which cost a start of plink-order
 * three times what all else does; so they are loaded when the first PNG is
 * wanted. */
#include "config.h"

#include "report/report.h"

#include <dlfcn.h>
#include <fontconfig/fontconfig.h>
#include <librsvg/rsvg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define ZOOM 2.0         /* pixels to the unit: sharp on a wall */
#define SIDE_MAX 16000.0 /* pixels; cairo has 32767 */

#define FUNCTIONS(F)                                                                               \
	F(FcNameParse)                                                                             \
	F(FcConfigSubstitute)                                                                      \
	F(FcDefaultSubstitute)                                                                     \
	F(FcFontMatch)                                                                             \
	F(FcPatternGetString)                                                                      \
	F(FcPatternDestroy)                                                                        \
	F(cairo_create)                                                                            \
	F(cairo_destroy)                                                                           \
	F(cairo_image_surface_create)                                                              \
	F(cairo_status_to_string)                                                                  \
	F(cairo_surface_destroy)                                                                   \
	F(cairo_surface_status)                                                                    \
	F(cairo_surface_write_to_png_stream)                                                       \
	F(g_object_unref)                                                                          \
	F(rsvg_handle_get_intrinsic_size_in_pixels)                                                \
	F(rsvg_handle_new_from_data)                                                               \
	F(rsvg_handle_render_document)

#define POINTER(name) __typeof__(name) *name;
static struct librsvg {
	FUNCTIONS(POINTER)
} lib;

#define ENTRY(name) {#name, offsetof(struct librsvg, name)},
static const struct {
	const char *name;
	size_t at;
} functions[] = {FUNCTIONS(ENTRY)};

/* The libraries that librsvg itself uses are found by its handle, too. */
static int load_librsvg(struct pl_err *err)
{
	void *rsvg = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
	void *found;

	for (size_t i = 0; rsvg && i < sizeof(functions) / sizeof(*functions); i++) {
		found = dlsym(rsvg, functions[i].name);
		if (!found)
			rsvg = NULL;
		memcpy((char *)&lib + functions[i].at, &found, sizeof(found));
	}
	return rsvg ? 0
		    : pl_err_set(err, PL_ESYSTEM,
				 "PNG pictures need librsvg (%s); .svg and "
				 ".html do not",
				 dlerror());
}

/* Without any font letters would be boxes. */
static int check_font(struct pl_err *err)
{
	FcPattern *wanted = lib.FcNameParse((const FcChar8 *)"sans-serif");
	FcResult result;
	FcPattern *found = NULL;
	FcChar8 *file = NULL;

	if (wanted && lib.FcConfigSubstitute(NULL, wanted, FcMatchPattern)) {
		lib.FcDefaultSubstitute(wanted);
		found = lib.FcFontMatch(NULL, wanted, &result);
	}
	if (found)
		lib.FcPatternGetString(found, FC_FILE, 0, &file);
	if (!file)
		pl_err_set(err, PL_ESYSTEM,
			   "no font for a PNG picture: fontconfig finds none; "
			   "install one, such as fonts-dejavu-core, or write "
			   ".svg");
	if (wanted)
		lib.FcPatternDestroy(wanted);
	if (found)
		lib.FcPatternDestroy(found);
	return file ? 0 : -1;
}

int pl_report_check_png(struct pl_err *err)
{
	if (load_librsvg(err))
		return -1;
	return check_font(err);
}

static cairo_status_t write_bytes(void *out, const unsigned char *data, unsigned int len)
{
	return fwrite(data, 1, len, out) == len ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* 0, or -1 with @why set. */
static int draw(RsvgHandle *svg, FILE *out, const char **why)
{
	RsvgRectangle all = {0};
	cairo_surface_t *surface;
	cairo_status_t status;
	cairo_t *cr;
	double zoom = ZOOM;
	gboolean drawn;

	lib.rsvg_handle_get_intrinsic_size_in_pixels(svg, &all.width, &all.height);
	if (all.width * zoom > SIDE_MAX)
		zoom = SIDE_MAX / all.width;
	all.width *= zoom;
	all.height *= zoom;
	surface =
		lib.cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)all.width, (int)all.height);
	cr = lib.cairo_create(surface);
	drawn = lib.rsvg_handle_render_document(svg, cr, &all, NULL);
	lib.cairo_destroy(cr);
	status = lib.cairo_surface_status(surface);
	if (drawn && status == CAIRO_STATUS_SUCCESS)
		status = lib.cairo_surface_write_to_png_stream(surface, write_bytes, out);
	lib.cairo_surface_destroy(surface);
	*why = lib.cairo_status_to_string(status);
	return drawn && status == CAIRO_STATUS_SUCCESS ? 0 : -1;
}

int pl_report_write_png(const struct pl_report *r, FILE *out, struct pl_err *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	const char *why = "librsvg cannot read the picture";
	RsvgHandle *svg;
	int rc;

	if (!f)
		return pl_err_nomem(err);
	rc = load_librsvg(err);
	if (rc == 0)
		rc = pl_report_write_svg(r, f, err);
	if (fclose(f) && rc == 0)
		rc = pl_err_nomem(err);
	if (rc == 0) {
		svg = lib.rsvg_handle_new_from_data((const guint8 *)text, len, NULL);
		if (!svg || draw(svg, out, &why))
			rc = pl_err_set(err, PL_ESYSTEM, "cannot write PNG: %s", why);
		if (svg)
			lib.g_object_unref(svg);
	}
	free(text);
	return rc;
}
