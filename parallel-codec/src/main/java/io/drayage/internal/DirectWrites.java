package io.drayage.internal;

import java.nio.file.OpenOption;

/** The option for files that are written past the page cache. */
public final class DirectWrites {
  private DirectWrites() {}

  /**
   * Finds the option by name, because a warning of javac 25 about its module cannot be suppressed.
   *
   * @throws UnsupportedOperationException if this JDK has none
   */
  public static OpenOption option() {
    try {
      for (Object option :
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
        if (option instanceof OpenOption found && option.toString().equals("DIRECT")) {
          return found;
        }
      }
    } catch (ClassNotFoundException e) {
      // Continues without the option.
    }
    throw new UnsupportedOperationException("this JDK cannot write past the page cache");
  }
}
