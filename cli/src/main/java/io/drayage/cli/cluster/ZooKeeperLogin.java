package io.drayage.cli.cluster;

import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.coordination.zookeeper.ZooKeeperTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A node's login at ZooKeeper and the security of its connection. */
final class ZooKeeperLogin {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
  private static final Pattern USER_AND_PASSWORD = Pattern.compile("[^:\\s]+:\\S+");

  @Option(
      names = "--zookeeper-login",
      paramLabel = "FILE",
      description =
          "A file with USER:PASSWORD for ZooKeeper: nobody else can use the cluster's data there."
              + " All transactors use the same login, and workers too unless they have their own.")
  private @Nullable Path login;

  @Option(
      names = "--zookeeper-workers",
      paramLabel = "FILE",
      description =
          "With --zookeeper-login, for transactors: the login of the workers, which can read, but"
              + " not publish (default: the same login).")
  private @Nullable Path workersLogin;

  @Option(
      names = "--zookeeper-tls-ca",
      paramLabel = "FILE",
      description =
          "Use TLS: the authorities that have signed the certificates of ZooKeeper's servers; PEM"
              + " (default: no TLS).")
  private @Nullable Path authorities;

  @Option(
      names = "--zookeeper-tls-identity",
      paramLabel = "FILE",
      description =
          "With --zookeeper-tls-ca: this node's certificate, its chain and its key (PKCS#8, not"
              + " encrypted) in one file; PEM.")
  private @Nullable Path identity;

  private @Nullable String credentials;
  private @Nullable String workerCredentials;

  /**
   * Checks the options before anything is created.
   *
   * @param zookeeper the value of --zookeeper; null for a server that is not started yet
   */
  void check(@Nullable String zookeeper, OptionChecks checks) throws IOException {
    try {
      ZooKeeperOptions unused = zookeeper == null ? null : ZooKeeperOptions.of(zookeeper);
    } catch (IllegalArgumentException e) {
      throw checks.usageError("--zookeeper %s: %s".formatted(zookeeper, e.getMessage()));
    }
    checks.require(
        authorities != null || identity == null,
        "--zookeeper-tls-identity needs --zookeeper-tls-ca, the authorities of the servers");
    checks.requireReadable("--zookeeper-tls-ca", authorities);
    checks.require(
        login != null || workersLogin == null,
        "--zookeeper-workers needs --zookeeper-login, the login of this node");
    credentials = read("--zookeeper-login", login, checks);
    workerCredentials = read("--zookeeper-workers", workersLogin, checks);
    checks.requireSecret("--zookeeper-tls-identity", identity);
  }

  Coordination connect(String zookeeper, int sessionTimeoutMs, OptionChecks checks)
      throws IOException {
    check(zookeeper, checks);
    ZooKeeperOptions options = options(zookeeper, sessionTimeoutMs);
    if (credentials != null) {
      options = options.withCredentials(credentials);
    }
    if (workerCredentials != null) {
      options = options.withWorkerCredentials(workerCredentials);
    }
    if (authorities != null) {
      options = options.withTls(new ZooKeeperTls(authorities, identity));
    }
    return ZooKeeperCoordination.connect(options);
  }

  /** Connects without a login and without TLS. */
  static Coordination open(String zookeeper, int sessionTimeoutMs) throws IOException {
    return ZooKeeperCoordination.connect(options(zookeeper, sessionTimeoutMs));
  }

  private static ZooKeeperOptions options(String zookeeper, int sessionTimeoutMs) {
    return ZooKeeperOptions.of(zookeeper)
        .withTimeouts(Duration.ofMillis(sessionTimeoutMs), ANSWER_TIMEOUT);
  }

  /** Reads the file of an option. No message shows its content. */
  private static @Nullable String read(String option, @Nullable Path file, OptionChecks checks)
      throws IOException {
    if (file == null) {
      return null;
    }
    checks.requireReadable(option, file);
    String text = Files.readString(file).strip();
    checks.require(
        USER_AND_PASSWORD.matcher(text).matches(),
        "%s %s has no line of the form USER:PASSWORD".formatted(option, file));
    checks.requireSecret(option, file);
    return text;
  }
}
