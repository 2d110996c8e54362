package io.drayage.coordination.zookeeper;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.CoordinationException;
import io.drayage.files.FileRights;
import io.drayage.internal.Slf4j;
import io.drayage.transport.HostPort;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/**
 * A ZooKeeper server within this process, for a cluster on one machine. The data is in a folder and
 * survives a restart.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
  private static final long START_TIMEOUT_MS = 30_000;

  /** The interval at which sessions are checked. A session timeout is at least two intervals. */
  private static final int TICK_MS = 100;

  private static final int LONGEST_SESSION_MS = 60_000;

  private final ZooKeeperServerEmbedded server;
  private final InetSocketAddress address;

  /**
   * Loads a class of ZooKeeper that replaces the handler of uncaught exceptions, and restores the
   * program's handler. Otherwise an exception that ends a thread would be reported to SLF4J only.
   */
  private static final class Handler {
    static {
      Thread.UncaughtExceptionHandler programs = Thread.getDefaultUncaughtExceptionHandler();
      try {
        Object unused =
            Class.forName(
                NIOServerCnxnFactory.class.getName(),
                true,
                NIOServerCnxnFactory.class.getClassLoader());
      } catch (ClassNotFoundException e) {
        throw new LinkageError("it was there just now", e);
      } finally {
        Thread.setDefaultUncaughtExceptionHandler(programs);
      }
    }

    private Handler() {}

    static void keep() {}
  }

  private EmbeddedZooKeeper(ZooKeeperServerEmbedded server, InetSocketAddress address) {
    this.server = server;
    this.address = address;
  }

  /**
   * Starts a server. The server does not authenticate clients: everyone who can reach its address
   * can use it.
   *
   * @param folder created if it does not exist, accessible for its owner only; must not be shared
   * @param address to listen on; port 0 for any free one
   * @throws CoordinationException if it cannot be started
   */
  public static EmbeddedZooKeeper start(Path folder, InetSocketAddress address) throws IOException {
    Slf4j.prepare();
    Handler.keep();
    FileRights.PRIVATE.makeFolders(folder);
    InetAddress host = address.getAddress();
    int listening = port(address);
    Properties configuration = new Properties();
    configuration.setProperty("clientPortAddress", host.getHostAddress());
    configuration.setProperty("clientPort", Integer.toString(listening));
    configuration.setProperty("tickTime", Integer.toString(TICK_MS));
    configuration.setProperty("maxSessionTimeout", Integer.toString(LONGEST_SESSION_MS));
    configuration.setProperty("maxClientCnxns", "0");
    configuration.setProperty("admin.enableServer", "false");
    configuration.setProperty("autopurge.purgeInterval", "1");
    ZooKeeperServerEmbedded server;
    try {
      server =
          ZooKeeperServerEmbedded.builder()
              .baseDir(folder)
              .configuration(configuration)
              .exitHandler(ExitHandler.LOG_ONLY)
              .build();
      server.start(START_TIMEOUT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CoordinationException("interrupted while ZooKeeper was started", e);
    } catch (Exception e) {
      // The embedding API declares Exception.
      throw new CoordinationException(
          format(
              "ZooKeeper cannot be started in %s on port %d: %s",
              folder, listening, e.getMessage()),
          e);
    } finally {
      deleteConfigurations(folder);
    }
    return new EmbeddedZooKeeper(server, new InetSocketAddress(host, listening));
  }

  /** Deletes the configurations: ZooKeeper writes a new one under another name for each start. */
  private static void deleteConfigurations(Path folder) throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, "zookeeper.configuration*.properties")) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Starts a server on the loopback address. */
  public static EmbeddedZooKeeper start(Path folder, int port) throws IOException {
    return start(folder, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Returns the port, or a free one. Fails if it is in use, which ZooKeeper does not report. */
  private static int port(InetSocketAddress address) throws IOException {
    try (ServerSocket socket = new ServerSocket(address.getPort(), 1, address.getAddress())) {
      return socket.getLocalPort();
    } catch (BindException e) {
      throw new CoordinationException(
          "ZooKeeper cannot listen at %s: %s"
              .formatted(
                  HostPort.text(address.getAddress().getHostAddress(), address.getPort()),
                  e.getMessage()),
          e);
    }
  }

  /** The address for clients: {@code HOST:PORT}. */
  public String servers() {
    return HostPort.text(address.getAddress().getHostAddress(), address.getPort());
  }

  /** The port on which it listens. */
  public int port() {
    return address.getPort();
  }

  @Override
  public void close() {
    server.close();
  }
}
