package io.drayage.dist;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * A page of the site.
 *
 * @param source its Markdown, relative to the project's folder
 * @param document its content, whose links may be changed
 * @param anchors what a link may point to on it
 */
record Page(Path source, Node document, Set<String> anchors) {
  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer HTML = HtmlRenderer.builder().extensions(EXTENSIONS).build();
  private static final TextContentRenderer TEXT = TextContentRenderer.builder().build();
  private static final Pattern ID = Pattern.compile(" id=\"([^\"]+)\"");

  static Page of(Path source, String markdown) {
    Node document = PARSER.parse(markdown);
    Set<String> anchors =
        ID.matcher(HTML.render(document))
            .results()
            .map((MatchResult id) -> id.group(1))
            .collect(Collectors.toSet());
    return new Page(source, document, anchors);
  }

  /** Its first heading. */
  String title() {
    for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading) {
        return TEXT.render(node).strip();
      }
    }
    throw new IllegalArgumentException(source + " has no heading");
  }

  String html() {
    return HTML.render(document);
  }

  /** Where it goes, relative to the site: a README is what a folder shows. */
  Path target() {
    String name = String.valueOf(source.getFileName());
    return source.resolveSibling(
        name.equals("README.md") ? "index.html" : name.replaceAll("\\.md$", ".html"));
  }
}
