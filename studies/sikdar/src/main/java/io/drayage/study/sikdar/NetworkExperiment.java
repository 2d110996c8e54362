package io.drayage.study.sikdar;

import io.drayage.study.Measurement;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Servers write their share of the objects into sockets, page by page, and a client stores the
 * pages undecoded. Over loopback.
 */
final class NetworkExperiment {
  private static final int SERVERS = 10;
  private static final int REPEATS = 3;

  private NetworkExperiment() {}

  static void run(List<Workload> loads, Deadline deadline, Consumer<Measurement> results)
      throws Exception {
    for (Workload load : loads) {
      for (PageFormat format : Formats.all()) {
        String experiment = "network/" + load.kind().title();
        if (!deadline.cuts(experiment + " " + format.name())) {
          measure(format.name(), load, experiment, results);
        }
      }
    }
  }

  private static void measure(
      String format, Workload load, String experiment, Consumer<Measurement> results)
      throws Exception {
    double bestNs = Double.MAX_VALUE;
    List<byte[]> stored = List.of();
    for (int i = 0; i < REPEATS; i++) {
      long startNs = System.nanoTime();
      stored = ship(format, load);
      bestNs = Math.min(bestNs, (double) (System.nanoTime() - startNs));
    }
    long bytes = 0;
    double price = 0;
    PageFormat reader = Formats.ofName(format);
    for (byte[] page : stored) {
      bytes += page.length;
      for (Object entry : reader.entries(load.kind(), ByteBuffer.wrap(page))) {
        price += reader.price(load.kind(), entry);
      }
    }
    load.check(format, price);
    results.accept(new Measurement(experiment + "/time", format, "ms", bestNs / 1e6));
    results.accept(new Measurement(experiment + "/bytes", format, "MB", bytes / 1e6));
  }

  /** All pages, as the client stored them. */
  static List<byte[]> ship(String format, Workload load) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    List<ServerSocket> servers = new ArrayList<>();
    try {
      List<Future<List<byte[]>>> received = new ArrayList<>();
      List<Future<Void>> sent = new ArrayList<>();
      for (int s = 0; s < SERVERS; s++) {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        servers.add(server);
        int first = (int) ((long) load.count() * s / SERVERS);
        int end = (int) ((long) load.count() * (s + 1) / SERVERS);
        sent.add(threads.submit(serve(server, format, load, first, end)));
        received.add(threads.submit(() -> receive(server)));
      }
      for (Future<Void> each : sent) {
        each.get();
      }
      List<byte[]> pages = new ArrayList<>();
      for (Future<List<byte[]>> each : received) {
        pages.addAll(each.get());
      }
      return pages;
    } catch (ExecutionException e) {
      throw new IOException(format + " could not be shipped", e.getCause());
    } finally {
      for (ServerSocket server : servers) {
        server.close();
      }
      threads.shutdownNow();
    }
  }

  private static Callable<Void> serve(
      ServerSocket server, String formatName, Workload load, int first, int end) {
    return () -> {
      PageFormat format = Formats.ofName(formatName);
      try (Socket socket = server.accept();
          DataOutputStream out = new DataOutputStream(socket.getOutputStream());
          PageFormat.PageWriter writer =
              format.writer(load.kind(), (page, entries) -> write(out, page))) {
        for (int i = first; i < end; i++) {
          writer.add(format.entryOf(load.kind(), load.object(i)));
        }
      }
      return null;
    };
  }

  /** A page, behind its length. */
  static void write(DataOutputStream out, ByteBuffer page) throws IOException {
    byte[] bytes = new byte[page.remaining()];
    page.get(bytes);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static List<byte[]> receive(ServerSocket server) throws IOException {
    try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
      return pages(new DataInputStream(socket.getInputStream()));
    }
  }

  /** All pages until the stream ends. */
  static List<byte[]> pages(DataInputStream in) throws IOException {
    List<byte[]> pages = new ArrayList<>();
    byte[] length = in.readNBytes(Integer.BYTES);
    while (length.length == Integer.BYTES) {
      byte[] page = new byte[ByteBuffer.wrap(length).getInt()];
      in.readFully(page);
      pages.add(page);
      length = in.readNBytes(Integer.BYTES);
    }
    return pages;
  }
}
