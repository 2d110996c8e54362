package io.drayage.spark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;

/**
 * A cluster of Spark with a core on each of two hosts, as far as it knows: the second attempt at a
 * task that is slow goes to another host than the first.
 */
final class TwoHosts implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final String OTHER_HOST = "127.0.0.2";

  private final String master;
  private final List<Process> processes = new ArrayList<>();

  TwoHosts(Path folder) throws IOException {
    String port = Integer.toString(freePort());
    this.master = "spark://" + HOST + ":" + port;
    processes.add(
        ChildJvm.start(
            Master.class, folder, List.of("--host", HOST, "--port", port, "--webui-port", "0")));
    for (String host : List.of(HOST, OTHER_HOST)) {
      processes.add(
          ChildJvm.start(
              Worker.class,
              folder,
              List.of(
                  "--host",
                  host,
                  "--cores",
                  "1",
                  "--memory",
                  "1g",
                  "--webui-port",
                  "0",
                  "--work-dir",
                  folder.resolve("work").toString(),
                  master)));
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  String master() {
    return master;
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}
