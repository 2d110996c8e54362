package io.drayage.cli.cluster;

import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The log of a node on standard error, one line an entry. Libraries log only errors. */
final class NodeLog {
  private static final String FORMAT_PROPERTY = "java.util.logging.SimpleFormatter.format";
  private static final String FORMAT = "%1$tF %1$tT.%1$tL %4$s %5$s%6$s%n";

  /**
   * Levels of the loggers of ZooKeeper's clients. They log an error when a session ends, when a
   * server is away and when an election begins, some repeatedly and with a stack trace. All these
   * events are usual in a takeover, and Drayage reports their result once. The remaining errors
   * come from a callback of Drayage, or from a server within this process.
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

  /** Strong references, because a logger that is collected loses its level. */
  private static final List<Logger> LOGGERS =
      LEVELS.keySet().stream().map(Logger::getLogger).toList();

  private NodeLog() {}

  /** Sets the log up, before the first entry. A format that the user has set stays. */
  static void setUp() {
    if (System.getProperty(FORMAT_PROPERTY) == null) {
      System.setProperty(FORMAT_PROPERTY, FORMAT);
    }
    LOGGERS.forEach(logger -> logger.setLevel(LEVELS.get(logger.getName())));
  }
}
