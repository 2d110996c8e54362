package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.rig.Child;
import io.drayage.internal.Begun;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.Waits;
import io.drayage.worker.TransactionHandle;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The processes that send the fragments of one transaction, each a share. They read its handle from
 * standard input. To standard output they write {@link #FRAGMENT} with an id for each fragment, in
 * order, and then {@link #SENT} with the bytes on the wire. They end then, or with the process that
 * started them, even if it is killed. Not thread-safe.
 */
final class FragmentProcesses implements AutoCloseable {
  static final String FRAGMENT = "fragment ";
  static final String SENT = "sent ";

  private static final int LOST_PARENT_EXIT = 1;

  /** The memory for a fragment and its encoding. */
  private static final long MIN_HEAP_BYTES = 256L << 20;

  /** Options of this JVM that its children need too: for the collector and for access. */
  private static final List<String> INHERITED =
      List.of("-XX:MaxDirectMemorySize=", "-XX:+Use", "--add-", "--enable-native-access");

  private static final DaemonThreads READERS = new DaemonThreads("drayage-fragments");

  private final List<Process> processes = new ArrayList<>();
  private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
  private final int count;
  private final Consumer<String> log;

  /**
   * The fragments that a process has sent.
   *
   * @param worker its number, from 1 on
   * @param fragments in order
   */
  record Share(int worker, List<UUID> fragments, long wireBytes) {}

  /**
   * A process that has ended.
   *
   * @param complete whether it has reported the end of its share
   * @param lastWords the last line of its standard error
   */
  private record Ended(Share share, boolean complete, long pid, int exitCode, String lastWords) {
    boolean isWell() {
      return exitCode == 0 && complete;
    }

    String why() {
      return exitCode == 0
          ? ", before it had reported the end of its share"
          : lastWords.isEmpty() ? "" : ": " + lastWords.replaceFirst("^drayage: ", "");
    }
  }

  private FragmentProcesses(int count, Consumer<String> log) {
    this.count = count;
    this.log = log;
  }

  /**
   * Starts the processes.
   *
   * @param command the command line of each, from number 1 on
   * @param log receives their standard error, on any thread
   */
  static FragmentProcesses start(
      int count, TransactionHandle handle, IntFunction<List<String>> command, Consumer<String> log)
      throws IOException {
    FragmentProcesses started = new FragmentProcesses(count, log);
    try (Begun begun = new Begun(started::close)) {
      for (int number = 1; number <= count; number++) {
        started.start(number, handle, command.apply(number));
      }
      return begun.keep(started);
    }
  }

  /**
   * Returns the command line of a JVM like this one, with a share of its heap.
   *
   * @param main the class to run
   * @param count number of processes that share the heap
   */
  static List<String> command(Class<?> main, int count, List<String> arguments) {
    List<String> options =
        new ArrayList<>(
            ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> INHERITED.stream().anyMatch(option::startsWith))
                .toList());
    long heapBytes = Math.max(MIN_HEAP_BYTES, Runtime.getRuntime().maxMemory() / count);
    options.add(format("-Xmx%dk", heapBytes >> 10));
    List<String> command = new ArrayList<>(Child.command(main, options));
    command.addAll(arguments);
    return command;
  }

  private void start(int number, TransactionHandle handle, List<String> command)
      throws IOException {
    Process process = new ProcessBuilder(command).start();
    processes.add(process);
    Thread reader = READERS.newThread(() -> ended.add(awaitEnd(number, process)));
    reader.start();
    try {
      ObjectOutputStream out = new ObjectOutputStream(process.getOutputStream());
      out.writeObject(handle);
      out.flush(); // The stream stays open: its end tells the process that this one has ended.
    } catch (IOException e) {
      // The process has ended, and its exit code tells the reason.
    }
  }

  private Ended awaitEnd(int number, Process process) {
    StringBuilder lastWords = new StringBuilder();
    Thread errors = READERS.newThread(() -> forward(number, process, lastWords));
    errors.start();
    List<UUID> fragments = new ArrayList<>();
    long wireBytes = 0;
    boolean complete = false;
    int exitCode = -1;
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith(FRAGMENT)) {
          fragments.add(UUID.fromString(line.substring(FRAGMENT.length())));
        } else if (line.startsWith(SENT)) {
          wireBytes = Long.parseLong(line.substring(SENT.length()));
          complete = true;
        }
      }
      exitCode = process.waitFor();
      errors.join();
    } catch (IOException | IllegalArgumentException e) {
      log.accept(format("worker %d of %d: its output is wrong: %s", number, count, e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (lastWords) {
      return new Ended(
          new Share(number, fragments, wireBytes),
          complete,
          process.pid(),
          exitCode,
          lastWords.toString());
    }
  }

  private void forward(int number, Process process, StringBuilder lastWords) {
    try (BufferedReader in = process.errorReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        log.accept(format("worker %d of %d: %s", number, count, line));
        synchronized (lastWords) {
          lastWords.setLength(0);
          lastWords.append(line);
        }
      }
    } catch (IOException e) {
      // Another thread destroyed the process, which means its end.
    }
  }

  /**
   * Waits until all processes have sent their shares.
   *
   * @return the shares in the order of their workers
   * @throws IOException as soon as a process has failed, with its number and its last words
   */
  List<Share> await() throws IOException, InterruptedException {
    List<Share> shares = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Ended next = ended.take();
      if (!next.isWell()) {
        throw new IOException(
            format(
                "worker %d of %d, process %d, ended with exit code %d%s",
                next.share.worker(), count, next.pid, next.exitCode, next.why()));
      }
      shares.add(next.share);
    }
    shares.sort(Comparator.comparingInt(Share::worker));
    return shares;
  }

  /** Reads the handle in a child process, which ends from then on with its parent. */
  static TransactionHandle receiveHandle(InputStream in) throws IOException {
    try {
      TransactionHandle handle = (TransactionHandle) new ObjectInputStream(in).readObject();
      READERS.newThread(() -> endWith(in)).start();
      return handle;
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new IOException("standard input has no handle of a transaction", e);
    }
  }

  private static void endWith(InputStream in) {
    try {
      while (in.read() >= 0) {
        // No more input comes.
      }
    } catch (IOException e) {
      // A failure means the end of the parent too.
    }
    Runtime.getRuntime().halt(LOST_PARENT_EXIT);
  }

  /** Ends the remaining processes, and waits for their end. */
  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    for (Process process : processes) {
      Waits.uninterrupted(
          () -> {
            int unused = process.waitFor();
          });
    }
  }
}
