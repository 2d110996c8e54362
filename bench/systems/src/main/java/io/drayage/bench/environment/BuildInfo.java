package io.drayage.bench.environment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The facts that the build wrote into {@value #RESOURCE}.
 *
 * @param version the project's version
 * @param commit the git commit, or {@value #UNKNOWN} if the tree was no checkout
 * @param dirty whether files had changes that are not in the commit; null if unknown
 */
public record BuildInfo(String version, String commit, @Nullable Boolean dirty) {
  private static final String RESOURCE = "drayage-build.properties";
  private static final String UNKNOWN = "unknown";

  /** Loads the facts of the build of this class. */
  public static BuildInfo load() {
    Properties properties = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream("/" + RESOURCE)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + RESOURCE, e);
    }
    String dirty = value(properties, "dirty");
    return new BuildInfo(
        value(properties, "version"),
        value(properties, "commit"),
        dirty.equals(UNKNOWN) ? null : Boolean.valueOf(dirty));
  }

  /** Returns a value, or unknown for an unfilled placeholder, as in an IDE's build. */
  private static String value(Properties properties, String key) {
    String value = properties.getProperty(key, UNKNOWN);
    return value.isEmpty() || value.startsWith("${") ? UNKNOWN : value;
  }
}
