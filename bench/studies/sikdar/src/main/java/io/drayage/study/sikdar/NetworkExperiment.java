package io.drayage.study.sikdar;

import io.drayage.bench.child.StudyFigure;
import io.drayage.study.sikdar.form.Formats;
import io.drayage.study.sikdar.form.PageFormat;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * A client requests from ten servers at once their share of the objects, and stores the undecoded
 * pages. The servers are threads of one process, at the other end of the link.
 *
 * @param servers the address of an {@link ObjectServer} with the objects
 * @param link its name in results
 */
record NetworkExperiment(InetSocketAddress servers, String link, Consumer<StudyFigure> results) {
  private static final int SERVERS = 10;
  private static final int REPEATS = 3;

  /** Limit in ns: slower systems are not repeated. */
  private static final double REPEAT_NS = 1e9;

  void run(List<SikdarWorkload> loads, Deadline deadline) throws Exception {
    for (SikdarWorkload load : loads) {
      for (PageFormat format : Formats.all()) {
        String experiment = "network/" + load.kind().title();
        if (!deadline.cuts(experiment + " " + format.name())) {
          measure(format, load, experiment);
        }
      }
    }
  }

  private void measure(PageFormat format, SikdarWorkload load, String experiment) throws Exception {
    String name = format.name();
    double bestNs = Double.MAX_VALUE;
    List<byte[]> stored = List.of();
    ship(name, load); // The servers have just started.
    long beginNs = System.nanoTime();
    for (int i = 0; i < REPEATS && System.nanoTime() - beginNs < REPEAT_NS; i++) {
      long startNs = System.nanoTime();
      stored = ship(name, load);
      bestNs = Math.min(bestNs, (double) (System.nanoTime() - startNs));
    }
    long bytes = 0;
    double price = 0;
    for (byte[] page : stored) {
      bytes += page.length;
      for (Object entry : format.entries(load.kind(), ByteBuffer.wrap(page))) {
        price += format.price(load.kind(), entry);
      }
    }
    load.check(name, price);
    results.accept(new StudyFigure(experiment + "/" + link, name, "ms", bestNs / 1e6));
    results.accept(new StudyFigure(experiment + "/bytes", name, "MB", bytes / 1e6));
  }

  /** Returns all pages, as the client stored them. */
  private List<byte[]> ship(String format, SikdarWorkload load) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(SERVERS);
    try {
      List<Future<List<byte[]>>> received = new ArrayList<>();
      for (int s = 0; s < SERVERS; s++) {
        int first = (int) ((long) load.count() * s / SERVERS);
        int end = (int) ((long) load.count() * (s + 1) / SERVERS);
        received.add(
            threads.submit(() -> ObjectServer.pages(servers, format, load.kind(), first, end)));
      }
      List<byte[]> pages = new ArrayList<>();
      for (Future<List<byte[]>> each : received) {
        pages.addAll(each.get());
      }
      return pages;
    } catch (ExecutionException e) {
      throw new IOException(format + " could not be shipped", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }
}
