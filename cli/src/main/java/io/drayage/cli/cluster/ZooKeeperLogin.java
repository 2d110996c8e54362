package io.drayage.cli.cluster;

import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** As whom a node uses ZooKeeper. */
final class ZooKeeperLogin {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
  private static final Pattern USER_AND_PASSWORD = Pattern.compile("[^:\\s]+:\\S+");

  @Option(
      names = "--zookeeper-login",
      paramLabel = "FILE",
      description =
          "A file with USER:PASSWORD for ZooKeeper, the same for all nodes: nobody else may then"
              + " use the cluster's data there.")
  private @Nullable Path login;

  Coordination connect(String zookeeper, int sessionTimeoutMs, OptionChecks checks)
      throws IOException {
    return open(zookeeper, sessionTimeoutMs, login == null ? null : read(login, checks));
  }

  static Coordination open(String zookeeper, int sessionTimeoutMs, @Nullable String credentials)
      throws IOException {
    ZooKeeperOptions options =
        ZooKeeperOptions.of(zookeeper)
            .withTimeouts(Duration.ofMillis(sessionTimeoutMs), ANSWER_TIMEOUT);
    return ZooKeeperCoordination.connect(
        credentials == null ? options : options.withCredentials(credentials));
  }

  /** Never shows what is in the file. */
  private static String read(Path file, OptionChecks checks) throws IOException {
    checks.require(
        Files.isRegularFile(file) && Files.isReadable(file),
        "--zookeeper-login %s is not a readable file".formatted(file));
    String text = Files.readString(file).strip();
    checks.require(
        USER_AND_PASSWORD.matcher(text).matches(),
        "--zookeeper-login %s has no line of the form USER:PASSWORD".formatted(file));
    return text;
  }
}
