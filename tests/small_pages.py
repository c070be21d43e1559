"""A page and PDFs, small and whole, for tests to read, to serve and to break."""

PAGE = """<!DOCTYPE html><html lang="en"><head><title>The new bridge | The Paper</title>
<meta property="og:title" content="The new bridge"><meta property="og:url" content="https://paper.example/bridge">
<meta property="article:published_time" content="2021-05-03T08:00:00Z"></head><body>
<nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
<article><h1>The new bridge</h1>
<p>The bridge over the river was opened on Monday by the mayor, three years after work had begun on the site.</p>
<p>It is 320 metres long and cost 41 million pounds, the council said in a statement published on its pages.</p>
<script>document.write("not text")</script><!-- nor this --></article>
<footer>Copyright The Paper</footer></body></html>"""


def pdf(*pages: str, title: str = "", created: str = "") -> bytes:
    """A minimal PDF (ISO 32000-1): one line of Helvetica a page, with a table of its objects."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects.append(f"<< /Title ({title}) /CreationDate ({created}) >>")
    content, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(content))
        content += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>"
    start = len(content)
    return (
        content
        + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}\nstartxref\n{start}\n%%EOF".encode()
    )
