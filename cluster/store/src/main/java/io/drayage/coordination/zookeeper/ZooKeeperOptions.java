package io.drayage.coordination.zookeeper;

import static io.drayage.internal.Texts.format;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The options of a connection to ZooKeeper.
 *
 * @param servers {@code HOST:PORT[,HOST:PORT...]}
 * @param root the node above the cluster's data: {@code drayage}
 * @param sessionTimeout after which a silent node is considered dead; the servers may enforce a
 *     minimum
 * @param answerTimeout the time for which a call waits for a lost connection
 * @param credentials {@code USER:PASSWORD} of ZooKeeper's digest scheme, which restricts all access
 *     to the cluster's data; null for none
 * @param workerCredentials for a transactor: the credentials of the workers, which may then read
 *     and enter their names, but not publish; null if workers have the same credentials. The
 *     servers' digest must be SHA-1, the default, or both sides set the same system property
 * @param tls null for none
 */
public record ZooKeeperOptions(
    String servers,
    String root,
    Duration sessionTimeout,
    Duration answerTimeout,
    @Nullable String credentials,
    @Nullable String workerCredentials,
    @Nullable ZooKeeperTls tls) {
  /** The default of {@link #root}. */
  public static final String DEFAULT_ROOT = "drayage";

  /**
   * The default of {@link #sessionTimeout}: a standby takes over within 10 s of the primary's
   * death, even with ZooKeeper's default tick of 2 s, and a node may pause for 4 s.
   */
  public static final Duration DEFAULT_SESSION_TIMEOUT = Duration.ofSeconds(6);

  /** The default of {@link #answerTimeout}. */
  public static final Duration DEFAULT_ANSWER_TIMEOUT = Duration.ofSeconds(20);

  private static final int MAX_PORT = 65_535;

  /** A host name or IP address, an IPv6 address in brackets, and a port. */
  private static final Pattern SERVER =
      Pattern.compile("(?:[^\\s:,\\[\\]]+|\\[[^\\s,\\[\\]]+])(?::([0-9]{1,5}))?");

  private static final Pattern ROOT = Pattern.compile("[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*");

  /**
   * @throws IllegalArgumentException if a server is not an address, the root is not a path, or only
   *     workers have credentials
   */
  public ZooKeeperOptions {
    for (String server : servers.split(",", -1)) {
      requireAddress(server.strip());
    }
    if (!ROOT.matcher(root).matches()) {
      throw new IllegalArgumentException(
          "'%s' cannot be the root of a cluster: write HOST:PORT/ROOT, or HOST:PORT for /%s"
              .formatted(root, DEFAULT_ROOT));
    }
    if (workerCredentials != null && credentials == null) {
      throw new IllegalArgumentException(
          "a transactor with credentials for workers also needs credentials of its own");
    }
  }

  private static void requireAddress(String server) {
    Matcher address = SERVER.matcher(server);
    String port = address.matches() ? address.group(1) : "0";
    if (port != null && (Integer.parseInt(port) < 1 || Integer.parseInt(port) > MAX_PORT)) {
      throw new IllegalArgumentException(
          format("'%s' is no HOST:PORT with a port of 1 to %d", server, MAX_PORT));
    }
  }

  /** Parses an address, with defaults for the rest: {@code HOST:PORT[,HOST:PORT...][/ROOT]}. */
  public static ZooKeeperOptions of(String connect) {
    int slash = connect.indexOf('/');
    return new ZooKeeperOptions(
        slash < 0 ? connect : connect.substring(0, slash),
        slash < 0 ? DEFAULT_ROOT : connect.substring(slash + 1),
        DEFAULT_SESSION_TIMEOUT,
        DEFAULT_ANSWER_TIMEOUT,
        null,
        null,
        null);
  }

  /** Returns a copy with other timeouts. */
  public ZooKeeperOptions withTimeouts(Duration session, Duration answer) {
    return new ZooKeeperOptions(
        servers, root, session, answer, credentials, workerCredentials, tls);
  }

  /** Returns a copy with credentials, of this node alone or of all nodes. */
  public ZooKeeperOptions withCredentials(String userAndPassword) {
    return new ZooKeeperOptions(
        servers, root, sessionTimeout, answerTimeout, userAndPassword, workerCredentials, tls);
  }

  /** Returns a copy with credentials for workers, for a transactor that has its own. */
  public ZooKeeperOptions withWorkerCredentials(String userAndPassword) {
    return new ZooKeeperOptions(
        servers, root, sessionTimeout, answerTimeout, credentials, userAndPassword, tls);
  }

  /** Returns a copy that uses TLS. */
  public ZooKeeperOptions withTls(ZooKeeperTls secured) {
    return new ZooKeeperOptions(
        servers, root, sessionTimeout, answerTimeout, credentials, workerCredentials, secured);
  }

  /** The options without the passwords. */
  @Override
  public String toString() {
    return "ZooKeeperOptions[%s/%s, session %s, answer %s]"
        .formatted(servers, root, sessionTimeout, answerTimeout);
  }
}
