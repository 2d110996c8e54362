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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Servers write their share of the objects into sockets, page by page, and a client stores the
 * pages undecoded. Over loopback, and with a client that reads no faster than 1 Gbit/s carries.
 */
final class NetworkExperiment {
  private static final int SERVERS = 10;
  private static final double GIGABIT_BYTES_PER_S = 125e6;
  private static final int REPEATS = 3;

  /** Slow systems are not repeated beyond it. */
  private static final double REPEAT_NS = 1e9;

  private NetworkExperiment() {}

  static void run(List<Workload> loads, Deadline deadline, Consumer<Measurement> results)
      throws Exception {
    for (Workload load : loads) {
      for (PageFormat format : Formats.all()) {
        String experiment = "network/" + load.kind().title();
        if (!deadline.cuts(experiment + " " + format.name())) {
          long bytes = measure(format.name(), load, Double.MAX_VALUE, "/loopback", results);
          measure(format.name(), load, GIGABIT_BYTES_PER_S, "/1gbit", results);
          results.accept(new Measurement(experiment + "/bytes", format.name(), "MB", bytes / 1e6));
        }
      }
    }
  }

  /** How many bytes were shipped. */
  private static long measure(
      String format,
      Workload load,
      double bytesPerSecond,
      String link,
      Consumer<Measurement> results)
      throws Exception {
    double bestNs = Double.MAX_VALUE;
    List<byte[]> stored = List.of();
    long beginNs = System.nanoTime();
    for (int i = 0; i < REPEATS && System.nanoTime() - beginNs < REPEAT_NS; i++) {
      long startNs = System.nanoTime();
      stored = ship(format, load, new Pace(bytesPerSecond));
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
    results.accept(
        new Measurement("network/" + load.kind().title() + link, format, "ms", bestNs / 1e6));
    return bytes;
  }

  /** All pages, as the client stored them. */
  private static List<byte[]> ship(String format, Workload load, Pace pace) throws Exception {
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
        received.add(threads.submit(() -> receive(server, pace)));
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

  private static List<byte[]> receive(ServerSocket server, Pace pace) throws IOException {
    try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
      return pages(new DataInputStream(socket.getInputStream()), pace);
    }
  }

  /** All pages until the stream ends. */
  static List<byte[]> pages(DataInputStream in) throws IOException {
    return pages(in, new Pace(Double.MAX_VALUE));
  }

  private static List<byte[]> pages(DataInputStream in, Pace pace) throws IOException {
    List<byte[]> pages = new ArrayList<>();
    byte[] length = in.readNBytes(Integer.BYTES);
    while (length.length == Integer.BYTES) {
      byte[] page = new byte[ByteBuffer.wrap(length).getInt()];
      in.readFully(page);
      pages.add(page);
      pace.await(page.length);
      length = in.readNBytes(Integer.BYTES);
    }
    return pages;
  }

  /** Shares a rate among the connections of a client. */
  private static final class Pace {
    private final double nsPerByte;
    private final long startNs = System.nanoTime();
    private double usedNs;

    Pace(double bytesPerSecond) {
      nsPerByte = TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
    }

    /** Waits until so many more bytes can have come. */
    void await(int bytes) {
      long untilNs;
      synchronized (this) {
        usedNs += bytes * nsPerByte;
        untilNs = startNs + (long) usedNs;
      }
      for (long left = untilNs - System.nanoTime(); left > 0; left = untilNs - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }
  }
}
