package io.drayage.bench.peer;

import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ChildLoop.Handler;
import java.io.IOException;

/** The main program of a peer's processes. */
public final class PeerProcess {
  /** The argument of a worker's process. */
  public static final String WORKER = "worker";

  /** The argument of a transactor's process. */
  public static final String TRANSACTOR = "transactor";

  private PeerProcess() {}

  /**
   * Serves the rig until the rig kills this JVM.
   *
   * @param arguments {@link #WORKER} or {@link #TRANSACTOR}
   */
  public static void run(Peer peer, String[] arguments) throws IOException, InterruptedException {
    ChildLoop.serve(handler(peer, arguments));
  }

  private static Handler handler(Peer peer, String[] arguments) {
    String role = arguments.length == 1 ? arguments[0] : "";
    return switch (role) {
      case WORKER -> new PeerWorker(peer)::handle;
      case TRANSACTOR -> new PeerTransactor(peer)::handle;
      default ->
          throw new IllegalArgumentException(
              "this process is started by drayage throughput, with one argument: %s or %s"
                  .formatted(WORKER, TRANSACTOR));
    };
  }
}
