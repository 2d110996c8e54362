package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/** Calls of Curator, with failures that name the operation. */
final class Curator {
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
      throw new CoordinationException("ZooKeeper cannot %s: %s".formatted(what, e.getMessage()), e);
    }
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
   */
  static void sync(CuratorFramework client, String path) throws CoordinationException {
    call(
        "sync " + path,
        () -> {
          client.sync().forPath(path);
          return path;
        });
  }

  static void close(Closeable closed) {
    try {
      closed.close();
    } catch (IOException | IllegalStateException e) {
      // The session's end closes it.
    }
  }
}
