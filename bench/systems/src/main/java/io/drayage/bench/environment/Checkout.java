package io.drayage.bench.environment;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The source tree that this program was built in, where modules of their own class path lie. */
public final class Checkout {
  private Checkout() {}

  /**
   * A folder of the tree, in the nearest folder above this class that has one; relative to the
   * current folder if there is none.
   */
  public static Path folder(Path relative) {
    try {
      Path code =
          Path.of(Checkout.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path folder = code; folder != null; folder = folder.getParent()) {
        if (Files.isDirectory(folder.resolve(relative))) {
          return folder.resolve(relative);
        }
      }
      return relative;
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
