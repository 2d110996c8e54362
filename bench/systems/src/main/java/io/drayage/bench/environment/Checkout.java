package io.drayage.bench.environment;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The source tree in which this program was built, with modules of their own class path. */
public final class Checkout {
  private Checkout() {}

  /**
   * Returns the jar of a module, built like this program by the launcher or Maven. May be missing.
   */
  public static Path jar(Path module) {
    Path launchers = Path.of("target", "launcher");
    boolean isLaunchers = code().toString().contains(File.separator + launchers + File.separator);
    return module
        .resolve(isLaunchers ? launchers : Path.of("target"))
        .resolve(module.getFileName() + ".jar");
  }

  /**
   * Returns a folder of the tree, in the nearest folder above this class that has one; relative to
   * the current folder if there is none.
   */
  public static Path folder(Path relative) {
    for (Path folder = code(); folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve(relative))) {
        return folder.resolve(relative);
      }
    }
    return relative;
  }

  private static Path code() {
    try {
      return Path.of(Checkout.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
