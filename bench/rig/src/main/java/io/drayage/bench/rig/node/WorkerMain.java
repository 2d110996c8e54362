package io.drayage.bench.rig.node;

import static io.drayage.internal.Texts.format;

import io.drayage.baseline.stream.StudyTexts;
import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ChildLoop.Arguments;
import io.drayage.bench.child.ControlMessages.Burst;
import io.drayage.bench.child.ControlMessages.Cluster;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Committed;
import io.drayage.bench.child.ControlMessages.Expected;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.bench.child.ControlMessages.Loaded;
import io.drayage.bench.child.ControlMessages.Prepared;
import io.drayage.bench.child.ControlMessages.Sent;
import io.drayage.bench.child.ControlMessages.Shipped;
import io.drayage.bench.child.ControlMessages.Warmed;
import io.drayage.bench.child.ProcessCost;
import io.drayage.bench.child.ProcessMeter;
import io.drayage.bench.child.StoredCargo;
import io.drayage.bench.system.Systems;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.Serializers;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.send.CargoSender;
import io.drayage.send.SendReport;
import io.drayage.worker.CommitReport;
import io.drayage.worker.TransactionHandle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Main class of a worker under the rig: makes its cargo once, and ships it on every command. */
public final class WorkerMain {
  private final DrayageMetrics metrics = new DrayageMetrics();
  private final ChildProfile profile = new ChildProfile(metrics);
  private final ProcessMeter meter = new ProcessMeter(metrics, Stage.SEND);
  private @Nullable Job job;
  private @Nullable ChangeCargo cargo;

  /** The answer about that cargo. */
  private @Nullable Prepared kept;

  /** The connected senders, by job. */
  private final Map<Job, CargoSender> senders = new HashMap<>();

  /** The sender in use. */
  private @Nullable CargoSender sender;

  /** The sender with small segments for the warm-up; null if there is none. */
  private @Nullable CargoSender warmer;

  private @Nullable Listening transactor;

  /** The node; null if the cargo only has to be shipped. */
  private @Nullable WorkerNode node;

  /** The part in a joint transaction; null if the cargo only has to be shipped. */
  private @Nullable TogetherWorker together;

  private WorkerMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    ChildLoop.serve(new WorkerMain()::handle);
  }

  private @Nullable Object handle(Command command, Arguments arguments) throws Exception {
    return switch (command) {
      case PREPARE -> prepare(arguments.as(Job.class));
      case CONNECT -> connect(arguments.as(Listening.class));
      case RESET -> reset(arguments.as(Cluster.class));
      case RUN -> ship();
      case WARM -> warm(arguments.as(Burst.class));
      case OPEN -> open();
      case SEND -> send(arguments.as(TransactionHandle.class));
      case COMMIT -> together().commit(List.of(arguments.as(UUID[].class)));
      case AWAIT -> await(arguments.as(Committed.class));
      case VERIFY -> Objects.requireNonNull(node).loaded(arguments.as(Expected.class));
      case PROFILE, RECORD, SAVE -> profile.carryOut(command, arguments);
      default -> throw new IllegalStateException("a worker cannot " + command);
    };
  }

  private Prepared prepare(Job given) throws IOException, InterruptedException {
    Prepared ready = prepareCargo(given);
    int unused = given.beginWarmUp().await();
    return ready;
  }

  private Prepared prepareCargo(Job given) throws IOException {
    Job before = job;
    Job work = given.withBesideOthers(false);
    job = work;
    closeWarmer(); // It belongs to the earlier job.
    if (!given.besideOthers()) {
      closeSenders();
    }
    sender = senders.get(work);
    Prepared answer = kept;
    if (answer == null || before == null || !work.hasCargoOf(before)) {
      kept = null;
      cargo = null; // Memory may not suffice for two.
      StudyTexts.forget();
      answer = load(work);
      kept = answer;
    }
    StudyTexts.prepare(
        Serializers.ofName(work.parsedSystem().serializer()), Objects.requireNonNull(cargo));
    return answer;
  }

  private Prepared load(Job given) throws IOException {
    ChangeCargo loaded = given.cargo().stored().read();
    cargo = loaded;
    return new Prepared(CargoSize.rawBytes(loaded), CargoDigest.of(loaded));
  }

  private void closeSenders() {
    closeWarmer();
    senders.values().forEach(CargoSender::close);
    senders.clear();
  }

  private @Nullable Object connect(Listening listening) {
    transactor = listening;
    if (sender != null) {
      return null;
    }
    Job given = Objects.requireNonNull(job);
    String name = "worker-" + given.worker();
    CargoSender made =
        Systems.sender(given.parsedSystem(), given.options(), listening.address(), name, metrics);
    senders.put(given, made);
    sender = made;
    if (given.commits() != null) {
      WorkerNode own = new WorkerNode(name, given.commits(), meter::markShipmentReceived);
      node = own;
      together = new TogetherWorker(own);
    }
    return null;
  }

  private @Nullable Object reset(Cluster cluster) throws IOException, InterruptedException {
    together().close();
    Objects.requireNonNull(node).reset(cluster);
    return null;
  }

  /**
   * Commits the first part of the cargo several times to the same database, each time as another
   * transaction.
   */
  private Warmed warm(Burst burst) throws IOException, InterruptedException {
    ChangeCargo part =
        StoredCargo.part(
            Objects.requireNonNull(cargo), burst.bytes(), Objects.requireNonNull(kept).rawBytes());
    CargoSender through = senderOf(burst);
    List<Double> seconds = new ArrayList<>();
    CommitReport last = null;
    meter.begin();
    for (int i = 0; i < burst.times(); i++) {
      ChangeCargo next = StoredCargo.again(part);
      long beganNs = System.nanoTime();
      if (node == null) {
        through.send(next);
      } else {
        last = node.commit(next, through);
      }
      seconds.add((System.nanoTime() - beganNs) / 1e9);
    }
    ProcessCost cost = meter.end();
    if (node != null && last != null) {
      Long unused = node.downloadNs(last);
    }
    return new Warmed(seconds, cost);
  }

  private CargoSender senderOf(Burst burst) {
    Integer segmentBytes = burst.segmentBytes();
    if (segmentBytes == null) {
      return Objects.requireNonNull(sender);
    }
    if (warmer == null) {
      Job given = Objects.requireNonNull(job);
      warmer =
          Systems.sender(
              given.parsedSystem(),
              given.options().withSegmentBytes(segmentBytes),
              Objects.requireNonNull(transactor).address(),
              format("worker-%d", given.worker()),
              metrics);
    }
    return warmer;
  }

  private void closeWarmer() {
    if (warmer != null) {
      warmer.close();
      warmer = null;
    }
  }

  private TogetherWorker together() {
    return Objects.requireNonNull(together);
  }

  private TransactionHandle open() throws IOException, InterruptedException {
    closeWarmer();
    return together()
        .open(
            format("worker-%d", Objects.requireNonNull(job).worker()),
            Objects.requireNonNull(sender));
  }

  private Sent send(TransactionHandle handle) throws IOException, InterruptedException {
    closeWarmer();
    meter.begin();
    return together().send(handle, Objects.requireNonNull(cargo), Objects.requireNonNull(sender));
  }

  private ProcessCost await(Committed committed) throws IOException, InterruptedException {
    WorkerNode own = Objects.requireNonNull(node);
    if (own.hasReplica()) {
      own.awaitLoaded(committed.timestamp());
    }
    return meter.end();
  }

  private Shipped ship() throws IOException, InterruptedException {
    closeWarmer();
    ChangeCargo toShip = Objects.requireNonNull(cargo);
    meter.begin();
    if (node != null) {
      CommitReport report = node.commit(toShip, Objects.requireNonNull(sender));
      ProcessCost cost = meter.end();
      return new Shipped(
          report.send(),
          new Loaded(
              report.publishNs(), report.loadNs(), report.totalNs(), node.downloadNs(report)),
          cost);
    }
    SendReport report = Objects.requireNonNull(sender).send(toShip);
    return new Shipped(report, null, meter.end());
  }
}
