package io.drayage.study.sikdar;

import edu.rice.dmodel.Element;
import io.drayage.bench.child.StudyFigure;
import io.drayage.study.sikdar.form.Formats;
import io.drayage.study.sikdar.form.ObjectKind;
import io.drayage.study.sikdar.form.PageFormat;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Adds up sparse vectors in a binary tree of seven nodes, each with one vector. A node reads the
 * sums of its two children from sockets, adds its own vector, and sends the filled slots on.
 */
final class AggregateExperiment {
  private static final String UNIT = "ms";
  private static final int NODES = 7;
  private static final List<String> FILLED = List.of("0.1%", "1%", "10%");

  private AggregateExperiment() {}

  static void run(int slots, long seed, Deadline deadline, Consumer<StudyFigure> results)
      throws Exception {
    for (String percent : FILLED) {
      double filled = Double.parseDouble(percent.replace("%", "")) / 100;
      String experiment = "aggregate/" + percent;
      double[][] vectors = vectors(slots, filled, seed);
      double[] expected = new double[slots];
      for (double[] vector : vectors) {
        for (int i = 0; i < slots; i++) {
          expected[i] += vector[i];
        }
      }
      for (PageFormat format : Formats.all()) {
        if (!deadline.cuts(experiment + " " + format.name())) {
          double ns = aggregate(format.name(), vectors, expected);
          results.accept(new StudyFigure(experiment, format.name(), UNIT, ns / 1e6));
        }
      }
    }
  }

  private static double[][] vectors(int slots, double filled, long seed) {
    Random random = new Random(seed);
    double[][] vectors = new double[NODES][slots];
    for (double[] vector : vectors) {
      for (int i = 0; i < slots * filled; i++) {
        // Whole numbers, so that the sum does not depend on the order.
        vector[random.nextInt(slots)] = 1 + random.nextInt(1_000);
      }
    }
    return vectors;
  }

  /** Returns the time in ns until the root has the sum. */
  private static double aggregate(String format, double[][] vectors, double[] expected)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(NODES);
    List<ServerSocket> servers = new ArrayList<>();
    try {
      for (int node = 0; node < NODES; node++) {
        servers.add(new ServerSocket(0, 2, InetAddress.getLoopbackAddress()));
      }
      long startNs = System.nanoTime();
      List<Future<double[]>> sums = new ArrayList<>();
      for (int node = 0; node < NODES; node++) {
        int index = node;
        sums.add(threads.submit(() -> node(index, servers, format, vectors[index].clone())));
      }
      double[] root = sums.get(0).get();
      double ns = System.nanoTime() - startNs;
      if (!Arrays.equals(root, expected)) {
        throw new IllegalStateException(format + " lost values");
      }
      return ns;
    } finally {
      for (ServerSocket server : servers) {
        server.close();
      }
      threads.shutdownNow();
    }
  }

  private static double[] node(int index, List<ServerSocket> servers, String name, double[] sum)
      throws IOException {
    PageFormat format = Formats.ofName(name);
    int firstChild = 2 * index + 1;
    for (int child = firstChild; child < Math.min(firstChild + 2, NODES); child++) {
      try (Socket socket = servers.get(index).accept();
          DataInputStream in = new DataInputStream(socket.getInputStream())) {
        for (byte[] page : ObjectServer.readPages(in)) {
          for (Object entry : format.entries(ObjectKind.ELEMENT, ByteBuffer.wrap(page))) {
            sum[(int) format.key(ObjectKind.ELEMENT, entry)] +=
                format.price(ObjectKind.ELEMENT, entry);
          }
        }
      }
    }
    if (index > 0) {
      ServerSocket parent = servers.get((index - 1) / 2);
      try (Socket socket = new Socket(parent.getInetAddress(), parent.getLocalPort());
          DataOutputStream out = new DataOutputStream(socket.getOutputStream());
          PageFormat.PageWriter writer =
              format.writer(
                  ObjectKind.ELEMENT, (page, entries) -> ObjectServer.writePage(out, page))) {
        send(format, sum, writer);
      }
    }
    return sum;
  }

  private static void send(PageFormat format, double[] sum, PageFormat.PageWriter writer)
      throws IOException {
    for (int i = 0; i < sum.length; i++) {
      if (sum[i] != 0) {
        Element element = new Element();
        element.position = i;
        element.value = sum[i];
        writer.add(format.entryOf(ObjectKind.ELEMENT, element));
      }
    }
  }
}
