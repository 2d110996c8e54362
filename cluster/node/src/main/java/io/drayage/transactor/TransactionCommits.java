package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.AppCommit;
import io.drayage.frame.AppVersion;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.snapshot.SnapshotKeys.FragmentPlace;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.transaction.Fragment;
import io.drayage.snapshot.transaction.TransactionRecords;
import io.drayage.store.column.Rejection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Commits transactions of several workers, one after the other. Each is built fragment by fragment
 * while others commit, so that only one fragment at a time needs memory. Thread-safe.
 */
final class TransactionCommits implements AutoCloseable {
  private static final int READERS = 8;

  private final TransactionRecords records;
  private final TransactionCommitter pipeline;
  private final FragmentCache cache;
  private final SnapshotLoader loader;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(new DaemonThreads("drayage-transaction-commit"));
  private final ExecutorService readers =
      Executors.newFixedThreadPool(READERS, new DaemonThreads("drayage-transaction-read"));

  /**
   * @param loader closed with this
   */
  public TransactionCommits(
      TransactionRecords records,
      TransactionCommitter pipeline,
      FragmentCache cache,
      SnapshotLoader loader) {
    this.records = records;
    this.pipeline = pipeline;
    this.cache = cache;
    this.loader = loader;
  }

  /** Commits a transaction when the previous ones are applied. Does not block. */
  CompletableFuture<TransactionAnswer> run(
      TransactionState transaction, TransactionRequest.Commit request) {
    CompletableFuture<TransactionAnswer> answer = new CompletableFuture<>();
    long beganNs = System.nanoTime();
    try {
      thread.execute(() -> run(transaction, request, beganNs, answer));
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(OpenTransactions.over());
    }
    return answer;
  }

  private void run(
      TransactionState transaction,
      TransactionRequest.Commit request,
      long beganNs,
      CompletableFuture<TransactionAnswer> answer) {
    try {
      CompletableFuture<TransactionAnswer> committed = commit(transaction, request, beganNs);
      var unused =
          committed.whenComplete(
              (settled, failure) -> {
                if (settled == null) {
                  answer.completeExceptionally(TransactionAnswer.cause(failure));
                } else {
                  answer.complete(settled);
                }
              });
    } catch (ShipmentException e) {
      answer.completeExceptionally(e);
    } catch (IOException e) {
      answer.completeExceptionally(
          new ShipmentException(
              Fault.CANCELLED, "a fragment cannot be loaded now: " + e.getMessage(), e));
    } catch (RuntimeException | Error e) {
      FatalErrors.report(e);
      answer.completeExceptionally(ShipmentException.of(e));
    }
  }

  private CompletableFuture<TransactionAnswer> commit(
      TransactionState transaction, TransactionRequest.Commit request, long beganNs)
      throws IOException {
    String owner = transaction.record.owner();
    AppVersion app = request.app();
    if (app != null) {
      CompletableFuture<AppCommit> known =
          pipeline.answerOfApp(app, owner, request.acknowledgement());
      if (known != null) {
        // On our thread: the completing thread must not wait for room in the queue of the log.
        return known.thenComposeAsync(
            newest -> end(transaction).handle((ended, failure) -> committed(newest, app)), thread);
      }
    }
    List<Fragment> fragments = fragments(transaction, request.fragments());
    Iterator<Fragment> rest = fragments.iterator();
    int[] number = {0};
    return pipeline
        .commitAll(
            transaction.logged(app),
            request,
            fragments,
            () -> rest.hasNext() ? load(rest.next(), ++number[0], fragments.size()) : null,
            beganNs)
        .thenApply(timestamp -> new TransactionAnswer.Committed(timestamp, true));
  }

  /** Ends it without effect. If that fails, it ends when its lease expires. */
  private CompletableFuture<Long> end(TransactionState transaction) {
    try {
      return pipeline.end(new SnapshotKind.Abort(transaction.logged(null)));
    } catch (ShipmentException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The answer of an application's newest commit to a request for this or an earlier version. */
  static TransactionAnswer committed(AppCommit newest, AppVersion asked) {
    return new TransactionAnswer.Committed(newest.timestamp(), newest.version().equals(asked));
  }

  private ChangeCargo load(Fragment fragment, int number, int count) throws IOException {
    ChangeCargo cached = cache.take(fragment.place());
    if (cached != null) {
      return cached;
    }
    try {
      return loader.load(fragment.cargo());
    } catch (ObjectCorruptException | ObjectMissingException e) {
      throw lost(fragment.place(), number, count, "cannot be loaded: " + e.getMessage());
    }
  }

  /** Rejects, because a damaged or missing fragment stays so: a retry does not help. */
  private static ShipmentException lost(FragmentPlace place, int number, int count, String why) {
    return Rejection.of(
        format(
            "fragment %s, number %,d of %,d of transaction %s, %s: nothing is committed",
            place.fragment(), number, count, place.transaction(), why));
  }

  /** Finds all fragments, and checks that their data exists. */
  private List<Fragment> fragments(TransactionState transaction, List<UUID> ids)
      throws IOException {
    Set<UUID> seen = new HashSet<>();
    UUID own = transaction.record.id();
    List<Future<@Nullable Fragment>> found = new ArrayList<>();
    for (UUID id : ids) {
      if (!seen.add(id)) {
        throw Rejection.of("fragment %s is to be committed twice".formatted(id));
      }
      found.add(readers.submit(() -> find(transaction, id)));
    }
    List<Fragment> fragments = new ArrayList<>();
    for (Future<@Nullable Fragment> each : found) {
      FragmentPlace place = new FragmentPlace(own, ids.get(fragments.size()));
      int number = fragments.size() + 1;
      try {
        Fragment fragment = get(each);
        if (fragment == null) {
          throw lost(place, number, ids.size(), "is not in the store");
        }
        fragments.add(fragment);
      } catch (ObjectCorruptException e) {
        throw lost(place, number, ids.size(), "has a damaged record: " + e.getMessage());
      }
    }
    return fragments;
  }

  private @Nullable Fragment find(TransactionState transaction, UUID id) throws IOException {
    FragmentPlace place = new FragmentPlace(transaction.record.id(), id);
    Fragment known = cache.find(place);
    Fragment found = known == null ? records.find(place) : known;
    return found != null && records.isComplete(found) ? found : null;
  }

  private static @Nullable Fragment get(Future<@Nullable Fragment> found) throws IOException {
    try {
      return found.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException named ? named : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OpenTransactions.over();
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    readers.shutdownNow();
    loader.close();
  }
}
