package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks the links of the project's pages, as GitHub shows them. */
@Tag("ci")
final class LinksTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern EXTERNAL = Pattern.compile("[a-z]+:.*");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  private static String withoutCode(Path page) throws IOException {
    return CODE.matcher(Files.readString(page)).replaceAll("");
  }

  /** Returns the anchors that GitHub makes from the headings of a page. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    Matcher headings = HEADING.matcher(withoutCode(page));
    while (headings.find()) {
      String text = LINK.matcher(headings.group(1)).replaceAll("");
      anchors.add(
          text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'));
    }
    return anchors;
  }

  private static boolean leadsSomewhere(Path page, String link) throws IOException {
    int at = link.indexOf('#');
    String file = at < 0 ? link : link.substring(0, at);
    Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    return Files.exists(target) && (at < 0 || anchors(target).contains(link.substring(at + 1)));
  }

  @Test
  void leadSomewhere() throws IOException {
    List<Path> pages;
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      pages =
          Stream.concat(top, docs)
              .filter(page -> page.toString().endsWith(".md"))
              .sorted()
              .toList();
    }
    for (Path page : pages) {
      Matcher links = LINK.matcher(withoutCode(page));
      while (links.find()) {
        String link = links.group(1);
        if (!EXTERNAL.matcher(link).matches()) {
          assertThat(leadsSomewhere(page, link)).as("%s: %s", page, link).isTrue();
        }
      }
    }
  }
}
