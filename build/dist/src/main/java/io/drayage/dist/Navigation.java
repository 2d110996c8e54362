package io.drayage.dist;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BulletList;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/** What every page shows beside its text: the groups of the README's last list, and a reference. */
final class Navigation {
  private static final String HEADING = "Read on";
  private static final Path README = Path.of("README.md");
  private static final TextContentRenderer TEXT = TextContentRenderer.builder().build();
  private static final HtmlRenderer HTML = HtmlRenderer.builder().build();

  private record Entry(String text, Path target) {}

  private record Group(String title, List<Entry> entries) {}

  private final List<Group> groups;

  private Navigation(List<Group> groups) {
    this.groups = groups;
  }

  /** Reads it from the README, whose links have not been turned yet. */
  static Navigation of(Map<Path, Page> pages, List<String> libraries, Path benchmark) {
    List<Group> groups = new ArrayList<>();
    for (Node item = list(pages).getFirstChild(); item != null; item = item.getNext()) {
      List<Entry> entries = new ArrayList<>();
      item.accept(
          new AbstractVisitor() {
            @Override
            public void visit(Link link) {
              Page page = pages.get(Path.of(link.getDestination()));
              if (page != null) {
                entries.add(new Entry(TEXT.render(link.getFirstChild()), page.target()));
              }
            }
          });
      String text = TEXT.render(item.getFirstChild());
      groups.add(new Group(text.substring(0, text.indexOf(':')), entries));
    }
    List<Entry> reference = new ArrayList<>();
    reference.add(new Entry("commands", Path.of("commands.html")));
    reference.add(new Entry("benchmark page", benchmark));
    for (String library : libraries) {
      reference.add(new Entry("Javadoc: " + library, Path.of("javadoc", library, "index.html")));
    }
    groups.add(new Group("Reference", reference));
    return new Navigation(groups);
  }

  private static BulletList list(Map<Path, Page> pages) {
    Page readme = pages.get(README);
    Node node = readme == null ? null : readme.document().getFirstChild();
    while (node != null) {
      if (node instanceof Heading
          && TEXT.render(node).strip().equals(HEADING)
          && node.getNext() instanceof BulletList list) {
        return list;
      }
      node = node.getNext();
    }
    throw new IllegalArgumentException("the README has no list below '%s'".formatted(HEADING));
  }

  /** A whole page. */
  String around(Page page, String template) {
    StringBuilder links =
        new StringBuilder(link(page, new Entry("Drayage", Path.of("index.html"))));
    for (Group group : groups) {
      links.append("<h2>%s</h2>%n<ul>%n".formatted(escaped(group.title())));
      for (Entry entry : group.entries()) {
        links.append("<li>%s</li>%n".formatted(link(page, entry)));
      }
      links.append("</ul>\n");
    }
    return template
        .replace("{title}", escaped(page.title()))
        .replace("{css}", Links.relative(page, Path.of("site.css")))
        .replace("{navigation}", links)
        .replace("{content}", page.html());
  }

  private static String link(Page page, Entry entry) {
    String current = page.target().equals(entry.target()) ? " aria-current=\"page\"" : "";
    return "<a href=\"%s\"%s>%s</a>"
        .formatted(Links.relative(page, entry.target()), current, escaped(entry.text()));
  }

  private static String escaped(String text) {
    return HTML.render(new Text(text));
  }
}
