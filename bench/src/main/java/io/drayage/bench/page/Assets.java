package io.drayage.bench.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** What is embedded in every page. */
final class Assets {
  /** Nothing is loaded but what stands in the page, and files beside it in frames. */
  static final String POLICY =
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:;"
          + " frame-src 'self' file:; base-uri 'none'; form-action 'none'";

  private static final String WEB_JAR = "/META-INF/maven/org.webjars.npm/chart.js/pom.properties";
  private static final String CHART_JS =
      "/META-INF/resources/webjars/chart.js/%s/dist/chart.umd.min.js";

  private Assets() {}

  static String styles() {
    return read("page.css");
  }

  /** Chooses the theme; to be run before anything is drawn. */
  static String themeScript() {
    return read("theme.js");
  }

  static String pageScript() {
    return read("page.js");
  }

  /** Chart.js, of the version that is on the class path. */
  static String chartJs() {
    Properties pom = new Properties();
    try (InputStream in = open(WEB_JAR)) {
      pom.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // Its map of sources is not embedded, so a browser need not look for it.
    return read(CHART_JS.formatted(pom.getProperty("version")))
        .replaceAll("//# sourceMappingURL.*", "");
  }

  private static String read(String resource) {
    try (InputStream in = open(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }

  private static InputStream open(String resource) {
    InputStream in = Assets.class.getResourceAsStream(resource);
    if (in == null) {
      throw new IllegalStateException(resource + " is not on the class path");
    }
    return in;
  }
}
