package io.drayage.simulation;

import io.drayage.coordination.AppliedReport;
import io.drayage.coordination.AppliedReports;
import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.HandOver;
import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.coordination.Maintenance;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.coordination.Registration;
import io.drayage.coordination.Term;
import io.drayage.database.LogPosition;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;

/** A host's session with the coordination: slow; its answers get lost, and its watches are late. */
final class SimCoordination implements Coordination {
  private static final int SLOWEST_MS = 5;
  private static final int TIMEOUT_MS = 1_000;

  private final InMemoryCoordination session;
  private final SplittableRandom random;
  private boolean cut;
  private int lostPercent;

  SimCoordination(InMemoryCluster cluster, SplittableRandom random) {
    this.session = new InMemoryCoordination(cluster);
    this.random = random;
  }

  /** Whether nothing comes through, and how many answers in a hundred are lost. */
  void trouble(boolean isCut, int percent) {
    cut = isCut;
    lostPercent = percent;
  }

  private void ask() throws CoordinationException {
    sleep(random.nextInt(SLOWEST_MS));
    if (cut) {
      sleep(TIMEOUT_MS);
      throw new CoordinationException("no connection", null);
    }
  }

  private static void sleep(int ms) throws CoordinationException {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CoordinationException("interrupted", e);
    }
  }

  /** For a watch: what happened is learned of some time later. */
  private void learn() {
    try {
      do {
        Thread.sleep(random.nextInt(8) == 0 ? random.nextInt(1_000) : 1);
      } while (cut);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String name() {
    return session.name();
  }

  @Override
  public Optional<UUID> cluster() throws CoordinationException {
    ask();
    return session.cluster();
  }

  @Override
  public Membership join(NodeInfo node) throws CoordinationException {
    ask();
    return session.join(node);
  }

  @Override
  public Optional<NodeProgress> progress(String node) throws CoordinationException {
    ask();
    return session.progress(node);
  }

  @Override
  public List<NodeInfo> liveNodes() throws CoordinationException {
    ask();
    return session.liveNodes();
  }

  @Override
  public Registration stand(NodeInfo node, CandidacyListener listener)
      throws CoordinationException {
    ask();
    return session.stand(
        node,
        new CandidacyListener() {
          @Override
          public long newestEpoch() {
            return listener.newestEpoch();
          }

          @Override
          public void elected(Term term) {
            learn();
            listener.elected(new SimTerm(term));
          }

          @Override
          public void deposed(Term term) {
            learn();
            listener.deposed(term);
          }
        });
  }

  @Override
  public Optional<PrimaryInfo> primary() throws CoordinationException {
    ask();
    return session.primary();
  }

  @Override
  public Optional<PublishedSnapshot> published() throws CoordinationException {
    ask();
    return session.published();
  }

  @Override
  public Registration watchPublished(Consumer<PublishedSnapshot> watcher)
      throws CoordinationException {
    ask();
    return session.watchPublished(
        published -> {
          learn();
          watcher.accept(published);
        });
  }

  @Override
  public Registration watchPrimary(Consumer<PrimaryInfo> watcher) throws CoordinationException {
    ask();
    return session.watchPrimary(
        primary -> {
          learn();
          watcher.accept(primary);
        });
  }

  @Override
  public void requestHandOver(long epoch, String to) throws CoordinationException {
    ask();
    session.requestHandOver(epoch, to);
  }

  @Override
  public Registration watchHandOver(Consumer<HandOver> watcher) throws CoordinationException {
    ask();
    return session.watchHandOver(
        request -> {
          learn();
          watcher.accept(request);
        });
  }

  @Override
  public Maintenance maintenance() throws CoordinationException {
    ask();
    return session.maintenance();
  }

  @Override
  public Maintenance maintain(boolean on, String reason) throws CoordinationException {
    ask();
    return session.maintain(on, reason);
  }

  @Override
  public Registration watchMaintenance(Consumer<Maintenance> watcher) throws CoordinationException {
    ask();
    return session.watchMaintenance(
        change -> {
          learn();
          watcher.accept(change);
        });
  }

  @Override
  public void report(AppliedReport report) throws CoordinationException {
    ask();
    session.report(report);
  }

  @Override
  public AppliedReports reports() throws CoordinationException {
    ask();
    return session.reports();
  }

  @Override
  public Registration watchReports(Consumer<AppliedReports> watcher) throws CoordinationException {
    ask();
    return session.watchReports(
        reports -> {
          learn();
          watcher.accept(reports);
        });
  }

  /** Ends the session, for the node or because it is gone. */
  @Override
  public void close() {
    session.close();
  }

  private final class SimTerm implements Term {
    private final Term term;

    SimTerm(Term term) {
      this.term = term;
    }

    @Override
    public long epoch() {
      return term.epoch();
    }

    @Override
    public UUID cluster() {
      return term.cluster();
    }

    @Override
    public Optional<LogPosition> publishedBefore() {
      return term.publishedBefore();
    }

    @Override
    public void publish(LogPosition position) throws CoordinationException {
      ask();
      term.publish(position);
      if (random.nextInt(100) < lostPercent) {
        sleep(TIMEOUT_MS);
        throw new CoordinationException("no answer", null);
      }
    }

    @Override
    public boolean isOver() {
      return term.isOver();
    }
  }
}
