package io.drayage.cli.cluster;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What a node logs to standard error: a line each, and of the libraries only what is wrong. */
final class NodeLog {
  private static final String FORMAT_PROPERTY = "java.util.logging.SimpleFormatter.format";
  private static final String FORMAT = "%1$tF %1$tT.%1$tL %4$s %5$s%6$s%n";

  /** Held, because a logger that nobody holds forgets its level. */
  private static final Logger LIBRARIES = Logger.getLogger("org.apache");

  /** Tells of a host that nobody knows with a stack trace, again and again; we say so once. */
  private static final Logger HOSTS =
      Logger.getLogger("org.apache.zookeeper.client.StaticHostProvider");

  private NodeLog() {}

  /** To be called before anything is logged; what the user has set stays. */
  static void setUp() {
    if (System.getProperty(FORMAT_PROPERTY) == null) {
      System.setProperty(FORMAT_PROPERTY, FORMAT);
    }
    LIBRARIES.setLevel(Level.SEVERE);
    HOSTS.setLevel(Level.OFF);
  }
}
