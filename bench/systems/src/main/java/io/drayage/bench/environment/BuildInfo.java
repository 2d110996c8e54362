package io.drayage.bench.environment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What the build wrote about itself into {@value #RESOURCE}.
 *
 * @param version the project's version
 * @param commit the git commit, or {@value #UNKNOWN} if the tree was no checkout
 * @param dirty whether files had changes that are not in the commit; null if unknown
 */
public record BuildInfo(String version, String commit, @Nullable Boolean dirty) {
  private static final String RESOURCE = "drayage-build.properties";
  private static final String UNKNOWN = "unknown";

  /** The build that this class comes from. */
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

  /** A placeholder that was not filled in, as in an IDE's build, is as good as nothing. */
  private static String value(Properties properties, String key) {
    String value = properties.getProperty(key, UNKNOWN);
    return value.isEmpty() || value.startsWith("${") ? UNKNOWN : value;
  }
}
