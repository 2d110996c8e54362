package io.drayage.coordination.zookeeper;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How ZooKeeper is reached.
 *
 * @param servers {@code HOST:PORT[,HOST:PORT...]}
 * @param root everything lies below this node, of which a cluster has one: {@code drayage}
 * @param sessionTimeout after which a node that is not heard of counts as dead; the servers may
 *     demand a longer one
 * @param answerTimeout how long a call waits for a connection that is lost
 * @param credentials {@code USER:PASSWORD} of ZooKeeper's digest scheme: then only they may read
 *     and write what is made here. Null: whoever reaches the servers may
 */
public record ZooKeeperOptions(
    String servers,
    String root,
    Duration sessionTimeout,
    Duration answerTimeout,
    @Nullable String credentials) {
  public static final String DEFAULT_ROOT = "drayage";

  /**
   * So that a standby takes over within 10 s of the primary's death, also where ZooKeeper looks for
   * the dead every 2 s, its default; it then grants no less than this.
   */
  public static final Duration DEFAULT_SESSION_TIMEOUT = Duration.ofSeconds(4);

  public static final Duration DEFAULT_ANSWER_TIMEOUT = Duration.ofSeconds(20);

  private static final Pattern ROOT = Pattern.compile("[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*");

  /**
   * @throws IllegalArgumentException if the root is no path
   */
  public ZooKeeperOptions {
    if (!ROOT.matcher(root).matches()) {
      throw new IllegalArgumentException("'%s' cannot be the root of a cluster".formatted(root));
    }
  }

  /** The defaults, at servers as a user names them: {@code HOST:PORT[,HOST:PORT...][/ROOT]}. */
  public static ZooKeeperOptions of(String connect) {
    int slash = connect.indexOf('/');
    return new ZooKeeperOptions(
        slash < 0 ? connect : connect.substring(0, slash),
        slash < 0 ? DEFAULT_ROOT : connect.substring(slash + 1),
        DEFAULT_SESSION_TIMEOUT,
        DEFAULT_ANSWER_TIMEOUT,
        null);
  }

  /** The same with other timeouts. */
  public ZooKeeperOptions withTimeouts(Duration session, Duration answer) {
    return new ZooKeeperOptions(servers, root, session, answer, credentials);
  }

  /** The same with credentials. */
  public ZooKeeperOptions withCredentials(String userAndPassword) {
    return new ZooKeeperOptions(servers, root, sessionTimeout, answerTimeout, userAndPassword);
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "ZooKeeperOptions[%s/%s, session %s, answer %s]"
        .formatted(servers, root, sessionTimeout, answerTimeout);
  }
}
