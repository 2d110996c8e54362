package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.worker.TransactionHandle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Tasks for the workers of transactions, as files in a folder: whoever is killed with one finds it
 * again, and does it once more. Each has one worker, or two if the first takes long.
 */
final class TortureTasks {
  static final int WORKERS = 4;

  private static final Duration SPECULATION = Duration.ofSeconds(4);
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final String TASK = ".task";
  private static final String DONE = ".done";
  private static final String FAILED = ".failed";

  private final Path folder;

  /** A part of a transaction. */
  record Task(TransactionHandle transaction, ChangeCargo part) implements Serializable {
    @Serial private static final long serialVersionUID = 1;
  }

  /** A task at its worker. */
  private record Attempt(Path file) {
    Path answer(String kind) {
      return Path.of(file.toString().replace(TASK, kind));
    }
  }

  TortureTasks(Path folder) {
    this.folder = folder;
  }

  private Path folderOf(int worker) throws IOException {
    return Files.createDirectories(folder.resolve(format("tasks-%d", worker)));
  }

  private static void write(Path file, byte[] content) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.write(part, content);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Has workers send the parts, each a part.
   *
   * @return the fragments of those who told first
   * @throws IOException if one cannot, or none does in time
   */
  List<UUID> send(TransactionHandle transaction, List<ChangeCargo> parts)
      throws IOException, InterruptedException {
    List<List<Attempt>> attempts = new ArrayList<>();
    for (int part = 0; part < parts.size(); part++) {
      attempts.add(new ArrayList<>(List.of(give(part, transaction, parts.get(part)))));
    }
    long beganNs = System.nanoTime();
    List<UUID> fragments = new ArrayList<>();
    for (int part = 0; part < parts.size(); part++) {
      List<Attempt> own = attempts.get(part);
      List<UUID> sent = sent(own);
      while (sent.isEmpty()) {
        long tookNs = System.nanoTime() - beganNs;
        if (tookNs > LONGEST.toNanos()) {
          throw new IOException(format("no worker has sent part %d", part));
        }
        if (tookNs > own.size() * SPECULATION.toNanos() && own.size() < WORKERS) {
          own.add(give((part + own.size()) % WORKERS, transaction, parts.get(part)));
        }
        TimeUnit.MILLISECONDS.sleep(10);
        sent = sent(own);
      }
      fragments.addAll(sent);
    }
    return fragments;
  }

  private Attempt give(int worker, TransactionHandle transaction, ChangeCargo part)
      throws IOException {
    Path file = folderOf(worker + 1).resolve(UUID.randomUUID() + TASK);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Task(transaction, part));
    }
    write(file, bytes.toByteArray());
    return new Attempt(file);
  }

  /** Empty if nobody has told yet. */
  private static List<UUID> sent(List<Attempt> attempts) throws IOException {
    for (Attempt each : attempts) {
      if (Files.exists(each.answer(DONE))) {
        return Files.readAllLines(each.answer(DONE)).stream().map(UUID::fromString).toList();
      }
      if (Files.exists(each.answer(FAILED))) {
        throw new IOException(Files.readString(each.answer(FAILED)));
      }
    }
    return List.of();
  }

  /** Sends the fragments of a part. */
  interface Sender {
    List<UUID> send(Task task) throws IOException, InterruptedException;
  }

  /**
   * Does the task of a worker that waits longest; false if there is none.
   *
   * @param worker from 1 on
   */
  boolean doNext(int worker, Sender sender) throws IOException, InterruptedException {
    List<Path> tasks;
    try (Stream<Path> files = Files.list(folderOf(worker))) {
      tasks = files.filter(file -> file.toString().endsWith(TASK)).toList();
    }
    Path next = null;
    for (Path each : tasks) {
      if (next == null
          || Files.getLastModifiedTime(each).compareTo(Files.getLastModifiedTime(next)) < 0) {
        next = each;
      }
    }
    if (next == null) {
      return false;
    }
    Attempt attempt = new Attempt(next);
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(next))) {
      StringBuilder sent = new StringBuilder();
      sender.send((Task) in.readObject()).forEach(id -> sent.append(id).append('\n'));
      write(attempt.answer(DONE), sent.toString().getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException | ClassNotFoundException e) {
      write(attempt.answer(FAILED), e.toString().getBytes(StandardCharsets.UTF_8));
    }
    Files.delete(next);
    return true;
  }
}
