package io.drayage.cli.cluster;

import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The log of a node on standard error: one line an entry, of the libraries only errors. */
final class NodeLog {
  private static final String FORMAT_PROPERTY = "java.util.logging.SimpleFormatter.format";
  private static final String FORMAT = "%1$tF %1$tT.%1$tL %4$s %5$s%6$s%n";

  /**
   * The clients of ZooKeeper call it an error when a session ends, a server is away or an election
   * begins anew, some with a stack trace and again and again. All of it is usual in a takeover, and
   * what comes of it we report ourselves, once. What is left is an error of a callback of ours, or
   * of a server within this process.
   */
  private static final Map<String, Level> LEVELS =
      Map.of(
          "org.apache", Level.SEVERE,
          "org.apache.curator", Level.OFF,
          "org.apache.curator.framework.listen", Level.SEVERE,
          "org.apache.zookeeper.client", Level.OFF,
          "org.apache.zookeeper.ClientCnxn", Level.OFF,
          "org.apache.zookeeper.ClientCnxnSocketNIO", Level.OFF,
          "org.apache.zookeeper.ClientCnxnSocketNetty", Level.OFF);

  /** Strong references: a logger that is collected forgets its level. */
  private static final List<Logger> LOGGERS =
      LEVELS.keySet().stream().map(Logger::getLogger).toList();

  private NodeLog() {}

  /** To be called before anything is logged; the format that the user has set stays. */
  static void setUp() {
    if (System.getProperty(FORMAT_PROPERTY) == null) {
      System.setProperty(FORMAT_PROPERTY, FORMAT);
    }
    LOGGERS.forEach(logger -> logger.setLevel(LEVELS.get(logger.getName())));
  }
}
