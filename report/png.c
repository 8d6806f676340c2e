/* SPDX-License-Identifier: BSD-3-Clause */
/* png.c - the picture as PNG: its SVG, drawn by librsvg */
#include "config.h"

#include "report/report.h"

#include <fontconfig/fontconfig.h>
#include <librsvg/rsvg.h>
#include <stdlib.h>

#define ZOOM 2.0         /* pixels to the unit: sharp on a wall */
#define SIDE_MAX 16000.0 /* pixels; cairo has 32767 */

/* Without any font letters would be boxes. */
int pl_report_check_png(struct pl_err *err)
{
	FcPattern *wanted = FcNameParse((const FcChar8 *)"sans-serif");
	FcResult result;
	FcPattern *found = NULL;
	FcChar8 *file = NULL;

	if (wanted && FcConfigSubstitute(NULL, wanted, FcMatchPattern)) {
		FcDefaultSubstitute(wanted);
		found = FcFontMatch(NULL, wanted, &result);
	}
	if (found)
		FcPatternGetString(found, FC_FILE, 0, &file);
	if (!file)
		pl_err_set(err, PL_ESYSTEM,
			   "no font for a PNG picture: fontconfig finds none; "
			   "install one, such as fonts-dejavu-core, or write "
			   ".svg");
	if (wanted)
		FcPatternDestroy(wanted);
	if (found)
		FcPatternDestroy(found);
	return file ? 0 : -1;
}

static cairo_status_t write_bytes(void *out, const unsigned char *data,
				  unsigned int len)
{
	return fwrite(data, 1, len, out) == len ? CAIRO_STATUS_SUCCESS
						: CAIRO_STATUS_WRITE_ERROR;
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

	rsvg_handle_get_intrinsic_size_in_pixels(svg, &all.width, &all.height);
	if (all.width * zoom > SIDE_MAX)
		zoom = SIDE_MAX / all.width;
	all.width *= zoom;
	all.height *= zoom;
	surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)all.width,
					     (int)all.height);
	cr = cairo_create(surface);
	drawn = rsvg_handle_render_document(svg, cr, &all, NULL);
	cairo_destroy(cr);
	status = cairo_surface_status(surface);
	if (drawn && status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_write_to_png_stream(surface, write_bytes,
							   out);
	cairo_surface_destroy(surface);
	*why = cairo_status_to_string(status);
	return drawn && status == CAIRO_STATUS_SUCCESS ? 0 : -1;
}

int pl_report_write_png(const struct pl_report *r, FILE *out,
			struct pl_err *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	const char *why = "librsvg cannot read the picture";
	RsvgHandle *svg;
	int rc;

	if (!f)
		return pl_err_nomem(err);
	rc = pl_report_write_svg(r, f, err);
	if (fclose(f) && rc == 0)
		rc = pl_err_nomem(err);
	if (rc == 0) {
		svg = rsvg_handle_new_from_data((const guint8 *)text, len,
						NULL);
		if (!svg || draw(svg, out, &why))
			rc = pl_err_set(err, PL_ESYSTEM, "cannot write PNG: %s",
					why);
		if (svg)
			g_object_unref(svg);
	}
	free(text);
	return rc;
}
