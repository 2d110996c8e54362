package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.cli.cluster.FragmentProcesses.Share;
import io.drayage.cli.cluster.WorkerOptionsGroup.Cluster;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.Counted;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** Commits a cargo as one transaction that several processes send. */
record TogetherCommit(CargoSource source, TogetherOptions divided, WorkerOptions options) {
  private static final Duration LEASE = Duration.ofMinutes(1);

  /**
   * The numbers of a commit, with times by this process's clock.
   *
   * @param timestamp the snapshot that it created
   * @param base the snapshot that it was made on
   * @param workers the share of each worker
   * @param wireBytes of all workers
   * @param beginNs until the transaction was begun
   * @param sendNs then until all processes had sent their fragments, their start included
   * @param commitNs then until the transactor had acknowledged the commit
   * @param loadNs then until this process had loaded the snapshot
   */
  record Report(
      long timestamp,
      UUID transaction,
      long base,
      List<Share> workers,
      long wireBytes,
      long beginNs,
      long sendNs,
      long commitNs,
      long loadNs,
      long totalNs) {

    void print(PrintWriter out) {
      out.printf(
          Locale.ROOT,
          "snapshot %d: %s in %s of %s in %.3f s: begin %.3f, send %.3f, commit %.3f, load %.3f%n",
          timestamp,
          Counted.of(wireBytes, "byte"),
          Counted.of(workers.stream().mapToInt(each -> each.fragments().size()).sum(), "fragment"),
          Counted.of(workers.size(), "worker"),
          totalNs / 1e9,
          beginNs / 1e9,
          sendNs / 1e9,
          commitNs / 1e9,
          loadNs / 1e9);
    }
  }

  /**
   * Commits the cargo, and waits until its snapshot is loaded.
   *
   * @param reader loads it
   * @param command the command line of each process
   * @param log receives the standard error of the processes
   * @throws IOException if a process fails, with its name; the transaction has no effect then
   */
  Report commit(
      Worker reader, Cluster cluster, IntFunction<List<String>> command, Consumer<String> log)
      throws IOException, InterruptedException {
    long base = source.baseSnapshot();
    DistributedTransaction.Options wanted =
        new DistributedTransaction.Options(
            options.name(),
            base == 0 ? TransactionRequest.Begin.NEWEST : base,
            LEASE,
            options.patience());
    DistributedTransaction.How how =
        new DistributedTransaction.How(
            options.commit().acknowledgement(), options.commit().onConflict(), false, null);
    long startNs = System.nanoTime();
    try (DistributedTransaction transaction =
        DistributedTransaction.begin(wanted, cluster.coordination(), cluster.connect())) {
      long begunNs = System.nanoTime();
      List<Share> shares = send(transaction.handle(), command, log);
      long sentNs = System.nanoTime();
      List<UUID> fragments = shares.stream().flatMap(each -> each.fragments().stream()).toList();
      long timestamp = transaction.commit(fragments, how).snapshot();
      long committedNs = System.nanoTime();
      awaitLoaded(reader, timestamp);
      long loadedNs = System.nanoTime();
      return new Report(
          timestamp,
          transaction.handle().transaction(),
          transaction.base(),
          shares,
          shares.stream().mapToLong(Share::wireBytes).sum(),
          begunNs - startNs,
          sentNs - begunNs,
          committedNs - sentNs,
          loadedNs - committedNs,
          loadedNs - startNs);
    }
  }

  private List<Share> send(
      TransactionHandle handle, IntFunction<List<String>> command, Consumer<String> log)
      throws IOException, InterruptedException {
    try (FragmentProcesses processes =
        FragmentProcesses.start(divided.workers(), handle, command, log)) {
      return processes.await();
    } catch (IOException e) {
      throw new IOException(
          "%s; transaction %s is aborted, nothing of it takes effect"
              .formatted(e.getMessage(), handle.transaction()),
          e);
    }
  }

  private void awaitLoaded(Worker reader, long timestamp) throws IOException, InterruptedException {
    if (!reader.awaitSnapshot(timestamp, options.patience())) {
      IOException failure = reader.failure();
      throw new IOException(
          format(
              "snapshot %d is committed, and was not loaded within %,d s%s",
              timestamp,
              options.patience().toSeconds(),
              failure == null ? "" : ": " + failure.getMessage()),
          failure);
    }
  }

  /** Returns the command line of a process that has this one's arguments, for its share. */
  IntFunction<List<String>> command(Class<?> main, ParseResult arguments) {
    return number ->
        FragmentProcesses.command(
            main,
            divided.workers(),
            Stream.concat(
                    arguments.originalArgs().stream(),
                    Stream.of(TogetherOptions.SHARE + "=" + number))
                .toList());
  }

  /** Sends the share of a child process. */
  void sendShare(int number, TransactionHandle handle, Cluster cluster, PrintWriter out)
      throws IOException, InterruptedException {
    try (FragmentSender sender =
        new FragmentSender(handle, cluster.coordination(), cluster.connect(), options.patience())) {
      for (UUID fragment : sender.send(divided.share(source.onDemand(), number))) {
        out.println(FragmentProcesses.FRAGMENT + fragment);
      }
      out.println(FragmentProcesses.SENT + sender.wireBytes());
      out.flush();
    }
  }
}
