package io.drayage.dist;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;

/**
 * Turns links between files of the project into links between files of the site, and finds those
 * that lead nowhere. Not thread-safe.
 */
final class Links {
  private static final Pattern EXTERNAL = Pattern.compile("[a-z]+:.*");

  private final Path root;
  private final Map<Path, Page> pages;
  private final Map<Path, Path> reports;

  /** Files that are linked and no pages, relative to the project's folder. */
  final Set<Path> files = new TreeSet<>();

  /** The same for folders. */
  final Set<Path> folders = new TreeSet<>();

  /** What leads nowhere. */
  final List<String> broken = new ArrayList<>();

  /**
   * @param pages by their sources
   * @param reports the page of a result, by its JSON file
   */
  Links(Path root, Map<Path, Page> pages, Map<Path, Path> reports) {
    this.root = root;
    this.pages = pages;
    this.reports = reports;
  }

  void turn(Page page) {
    page.document()
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(Link link) {
                Path report = reports.get(file(page, link.getDestination()));
                link.setDestination(turned(page, link.getDestination()));
                if (report != null) {
                  addReport(page, link, report);
                }
                visitChildren(link);
              }

              @Override
              public void visit(Image image) {
                image.setDestination(turned(page, image.getDestination()));
              }
            });
  }

  /** A result is a page for people, and JSON. */
  private static void addReport(Page page, Link link, Path report) {
    Link toReport = new Link(relative(page, report), "The page of this run");
    toReport.appendChild(new Text("page"));
    Node before = new Text(" (");
    link.insertAfter(before);
    before.insertAfter(toReport);
    toReport.insertAfter(new Text(")"));
  }

  private static Path file(Page page, String destination) {
    int anchor = destination.indexOf('#');
    String path = anchor < 0 ? destination : destination.substring(0, anchor);
    return path.isEmpty() ? page.source() : page.source().resolveSibling(path).normalize();
  }

  private String turned(Page page, String destination) {
    if (EXTERNAL.matcher(destination).matches()) {
      return destination;
    }
    Path file = file(page, destination);
    int at = destination.indexOf('#');
    String anchor = at < 0 ? "" : destination.substring(at);
    Page to = pages.get(file);
    if (to != null && (anchor.isEmpty() || to.anchors().contains(anchor.substring(1)))) {
      return relative(page, to.target()) + anchor;
    }
    if (to == null && !file.startsWith("..") && anchor.isEmpty()) {
      if (Files.isRegularFile(root.resolve(file))) {
        files.add(file);
        return relative(page, file);
      }
      if (Files.isDirectory(root.resolve(file))) {
        folders.add(file);
        return relative(page, file.resolve("index.html"));
      }
    }
    broken.add("%s: %s".formatted(page.source(), destination));
    return destination;
  }

  /** From a page to a file of the site. */
  static String relative(Page page, Path to) {
    Path folder = Path.of("/").resolve(page.target()).getParent();
    return String.valueOf(folder == null ? to : folder.relativize(Path.of("/").resolve(to)));
  }
}
