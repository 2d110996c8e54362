package io.drayage.cli.cluster;

import java.util.logging.Level;
import java.util.logging.Logger;

/** The log of a node on standard error: one line an entry, of the libraries only errors. */
final class NodeLog {
  private static final String FORMAT_PROPERTY = "java.util.logging.SimpleFormatter.format";
  private static final String FORMAT = "%1$tF %1$tT.%1$tL %4$s %5$s%6$s%n";

  /** Strong references: a logger that is collected forgets its level. */
  private static final Logger LIBRARIES = Logger.getLogger("org.apache");

  /** Logs an unknown host with a stack trace, again and again; we report it once. */
  private static final Logger HOSTS =
      Logger.getLogger("org.apache.zookeeper.client.StaticHostProvider");

  /** That it may not use the root is thrown as well. */
  private static final Logger CURATOR =
      Logger.getLogger("org.apache.curator.framework.imps.CuratorFrameworkImpl");

  private NodeLog() {}

  /** To be called before anything is logged; what the user has set stays. */
  static void setUp() {
    if (System.getProperty(FORMAT_PROPERTY) == null) {
      System.setProperty(FORMAT_PROPERTY, FORMAT);
    }
    LIBRARIES.setLevel(Level.SEVERE);
    HOSTS.setLevel(Level.OFF);
    CURATOR.setFilter(record -> !"Ensure path threw exception".equals(record.getMessage()));
  }
}
