package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/** Calls of Curator, with failures that name the operation. */
final class Curator {
  /** The client's own retries end before. A closed client never answers. */
  private static final Duration SYNC_TIMEOUT = Duration.ofMinutes(1);

  private Curator() {}

  /**
   * The value of a node.
   *
   * @param data must not be changed
   * @param version the number of changes of the node
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Value(byte[] data, int version) {}

  interface Call<T> {
    /** Curator's methods declare {@code Exception}. */
    T run() throws Exception;
  }

  static <T> T call(String what, Call<T> call) throws CoordinationException {
    try {
      return call.run();
    } catch (CoordinationException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CoordinationException("interrupted", e);
    } catch (Exception e) {
      throw failure(what, e);
    }
  }

  private static CoordinationException failure(String what, Exception cause) {
    String reason =
        cause instanceof TimeoutException
            ? "no answer"
            : cause instanceof KeeperException.NoAuthException
                ? "NoAuth: only who logs in as its owner may"
                : cause.getMessage();
    return new CoordinationException("ZooKeeper cannot %s: %s".formatted(what, reason), cause);
  }

  /** A node's value; empty if the node does not exist or has no data. */
  static Optional<Value> read(CuratorFramework client, String path) throws CoordinationException {
    return call(
        "read " + path,
        () -> {
          try {
            Stat stat = new Stat();
            byte[] data = client.getData().storingStatIn(stat).forPath(path);
            return data.length == 0
                ? Optional.empty()
                : Optional.of(new Value(data, stat.getVersion()));
          } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
          }
        });
  }

  /** The current value of a node, parsed; empty as that of {@link #read}. */
  static <T> Optional<T> latest(CuratorFramework client, String path, NodeText.Parser<T> parser)
      throws CoordinationException {
    sync(client, path);
    Optional<Value> value = read(client, path);
    return value.isEmpty() ? Optional.empty() : Optional.of(parser.parse(path, value.get().data()));
  }

  static List<String> children(CuratorFramework client, String path) throws CoordinationException {
    return call(
        "list " + path,
        () -> {
          try {
            return client.getChildren().forPath(path);
          } catch (KeeperException.NoNodeException e) {
            return List.of();
          }
        });
  }

  /**
   * Makes the server catch up with the ensemble: it may be behind, particularly after a reconnect.
   * Not to be called on ZooKeeper's own threads, one of which brings the answer.
   *
   * @throws CoordinationException if it has not; then what is read next may be old
   */
  static void sync(CuratorFramework client, String path) throws CoordinationException {
    String what = "sync " + path;
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    int code =
        call(
            what,
            () -> {
              // Curator's other form does not wait, and drops what went wrong.
              client
                  .sync()
                  .inBackground((unused, event) -> answer.complete(event.getResultCode()))
                  .forPath(path);
              return answer.get(SYNC_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            });
    if (code != KeeperException.Code.OK.intValue()) {
      throw failure(what, KeeperException.create(KeeperException.Code.get(code), path));
    }
  }

  static void close(Closeable closed) {
    try {
      closed.close();
    } catch (IOException | IllegalStateException e) {
      // The session's end closes it.
    }
  }
}
