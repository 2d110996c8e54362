package io.drayage.bench.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fragments of {@code page.html}. A line {@code #name} begins a fragment. <code>{name}</code>
 * is replaced by text, which is escaped, and <code>{=name}</code> by markup.
 */
final class Template {
  private static final Pattern HOLE = Pattern.compile("\\{(=?)([A-Za-z]+)\\}");
  private static final Map<String, String> FRAGMENTS = fragments();

  private static final String WEB_JAR = "/META-INF/maven/org.webjars.npm/chart.js/pom.properties";
  private static final String CHART_JS =
      "/META-INF/resources/webjars/chart.js/%s/dist/chart.umd.min.js";

  private final String fragment;
  private final Map<String, String> values = new HashMap<>();

  private Template(String fragment) {
    this.fragment = fragment;
  }

  static Template of(String fragment) {
    return new Template(fragment);
  }

  /** Sets the text or markup of one placeholder. */
  Template set(String name, Object value) {
    values.put(name, value.toString());
    return this;
  }

  private static Map<String, String> fragments() {
    Map<String, String> fragments = new HashMap<>();
    for (String part : resource("page.html").split("(?m)^#", -1)) {
      int end = part.indexOf('\n');
      if (end > 0) {
        fragments.put(part.substring(0, end), part.substring(end + 1).stripTrailing());
      }
    }
    return fragments;
  }

  /**
   * Returns the filled fragment.
   *
   * @throws IllegalStateException if a value was not set
   */
  String html() {
    return HOLE.matcher(FRAGMENTS.getOrDefault(fragment, "{fragment}"))
        .replaceAll(
            hole -> {
              String value = values.get(hole.group(2));
              if (value == null) {
                throw new IllegalStateException(
                    "no %s of the fragment %s".formatted(hole.group(), fragment));
              }
              return Matcher.quoteReplacement(hole.group(1).isEmpty() ? escape(value) : value);
            });
  }

  /** Escapes the content of an element, or of an attribute in double quotes. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(point -> append(escaped, point));
    return escaped.toString();
  }

  private static void append(StringBuilder escaped, int point) {
    switch (point) {
      case '&' -> escaped.append("&amp;");
      case '<' -> escaped.append("&lt;");
      case '>' -> escaped.append("&gt;");
      case '"' -> escaped.append("&quot;");
      case '\'' -> escaped.append("&#39;");
      case '\n', '\t' -> escaped.appendCodePoint(point);
      // Control characters are not allowed in HTML, not even escaped.
      default -> escaped.appendCodePoint(Character.isISOControl(point) ? '\uFFFD' : point);
    }
  }

  /** Returns JSON that cannot end the script element around it. */
  static String scriptSafe(String json) {
    return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
  }

  /** Returns Chart.js, of the version on the class path, without the link to its source map. */
  static String chartJs() {
    Properties pom = new Properties();
    try (InputStream in = open(WEB_JAR)) {
      pom.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return resource(CHART_JS.formatted(pom.getProperty("version")))
        .replaceAll("//# sourceMappingURL.*", "");
  }

  static String resource(String name) {
    try (InputStream in = open(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }

  private static InputStream open(String name) {
    InputStream in = Template.class.getResourceAsStream(name);
    if (in == null) {
      throw new IllegalStateException(name + " is not on the class path");
    }
    return in;
  }
}
