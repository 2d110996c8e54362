package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotKeys.FragmentPlace;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.transaction.Fragment;
import io.drayage.snapshot.transaction.TransactionRecords;
import io.drayage.store.AppCommit;
import io.drayage.store.TransactionBuild;
import io.drayage.store.TransactionTerms;
import io.drayage.store.column.Rejection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
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
 * Commits transactions of several workers, one after the other: fragment by fragment, beside what
 * others commit meanwhile, so that memory is needed for one fragment at a time. Thread-safe.
 */
final class TransactionCommits implements AutoCloseable {
  private static final int READERS = 8;

  private final TransactionRecords records;
  private final CommitPipeline pipeline;
  private final FragmentCache cache;
  private final SnapshotLoader loader;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(new DaemonThreads("drayage-transaction-commit"));
  private final ExecutorService readers =
      Executors.newFixedThreadPool(READERS, new DaemonThreads("drayage-transaction-read"));

  /**
   * @param loader closed with this
   */
  TransactionCommits(
      TransactionRecords records,
      CommitPipeline pipeline,
      FragmentCache cache,
      SnapshotLoader loader) {
    this.records = records;
    this.pipeline = pipeline;
    this.cache = cache;
    this.loader = loader;
  }

  /** Commits a transaction, once those before it are applied. Does not block. */
  CompletableFuture<TransactionAnswer> run(
      TransactionState transaction, TransactionRequest.Commit request) {
    CompletableFuture<TransactionAnswer> answer = new CompletableFuture<>();
    long beganNs = System.nanoTime();
    try {
      thread.execute(() -> run(transaction, request, beganNs, answer));
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(over());
    }
    return answer;
  }

  private static ShipmentException over() {
    return new ShipmentException(Fault.CANCELLED, "this transactor is no longer the primary");
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
    if (request.app() != null) {
      CompletableFuture<AppCommit> known =
          pipeline.answerOfApp(request.app(), owner, request.acknowledgement());
      if (known != null) {
        return known.thenApply(
            newest ->
                new TransactionAnswer.Committed(
                    newest.timestamp(), newest.version().equals(request.app())));
      }
    }
    List<Fragment> fragments = fragments(transaction, request.fragments());
    TransactionTerms terms =
        new TransactionTerms(
            transaction.record.id(),
            transaction.record.base(),
            request.onConflict(),
            request.serializable(),
            request.app(),
            owner);
    TransactionBuild build =
        pipeline.begin(terms, fragments.stream().mapToLong(Fragment::addedBytes).sum());
    List<SnapshotContents> cargoes = new ArrayList<>();
    for (Fragment fragment : fragments) {
      build.add(load(fragment));
      cargoes.add(fragment.cargo());
      pipeline.requireTerm();
    }
    return pipeline
        .commit(build, terms, cargoes, request.acknowledgement(), beganNs)
        .thenApply(timestamp -> new TransactionAnswer.Committed(timestamp, true));
  }

  private ChangeCargo load(Fragment fragment) throws IOException {
    ChangeCargo cached = cache.take(fragment.transaction(), fragment.id());
    return cached == null ? loader.load(fragment.cargo()) : cached;
  }

  /** All of them, whose data is there. */
  private List<Fragment> fragments(TransactionState transaction, List<UUID> ids)
      throws IOException {
    Set<UUID> seen = new HashSet<>();
    List<Future<@Nullable Fragment>> found = new ArrayList<>();
    for (UUID id : ids) {
      if (!seen.add(id)) {
        throw Rejection.of("fragment %s is to be committed twice".formatted(id));
      }
      found.add(readers.submit(() -> find(transaction, id)));
    }
    List<Fragment> fragments = new ArrayList<>();
    for (Future<@Nullable Fragment> each : found) {
      Fragment fragment = get(each);
      if (fragment == null) {
        throw Rejection.of(
            format(
                "fragment %s, number %,d of %,d of transaction %s, is not in the store: nothing is committed",
                ids.get(fragments.size()),
                fragments.size() + 1,
                ids.size(),
                transaction.record.id()));
      }
      fragments.add(fragment);
    }
    return fragments;
  }

  private @Nullable Fragment find(TransactionState transaction, UUID id) throws IOException {
    Fragment known = transaction.find(id);
    Fragment found =
        known == null ? records.find(new FragmentPlace(transaction.record.id(), id)) : known;
    return found != null && records.isComplete(found) ? found : null;
  }

  private static @Nullable Fragment get(Future<@Nullable Fragment> found) throws IOException {
    try {
      return found.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException named ? named : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw over();
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    readers.shutdownNow();
    loader.close();
  }
}
