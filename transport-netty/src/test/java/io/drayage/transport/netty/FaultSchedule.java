package io.drayage.transport.netty;

import io.drayage.frame.FrameType;
import io.drayage.transport.netty.WireFault.FaultKind;
import io.drayage.transport.netty.WireFault.FlowDirection;
import io.drayage.transport.netty.WireFault.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One shipment and its faults, all drawn from a seed.
 *
 * @param segments whether it uses the segments pipeline, else the stream pipeline
 * @param rows of the cargo
 * @param connections for a shipment of segments
 * @param resumeWindow zero: not resumable
 * @param neighbour whether another worker ships at the same time, undisturbed
 */
record FaultSchedule(
    long seed,
    boolean segments,
    String compressor,
    int rows,
    int connections,
    Duration resumeWindow,
    boolean neighbour,
    List<WireFault> faults) {
  private static final int MAX_FAULTS = 4;

  /** Longer than pauses of the machine, like the timeouts of a run. */
  private static final Duration RESUME_WINDOW = Duration.ofSeconds(4);

  private static final int FEW_ROWS = 4_000;
  private static final int MANY_ROWS = 40_000;
  private static final int MAX_OFFSET = 700_000;
  private static final FaultKind[] KINDS = FaultKind.values();

  /** A moment of the protocol: a frame, and the direction from which it comes. */
  private record Moment(FlowDirection direction, FrameType type, double part) {}

  private static final double RANDOM_PART = -1;

  private static final List<Moment> MOMENTS =
      List.of(
          new Moment(FlowDirection.TO_TRANSACTOR, FrameType.OPEN, RANDOM_PART),
          new Moment(FlowDirection.TO_WORKER, FrameType.ACCEPT, 0),
          new Moment(FlowDirection.TO_TRANSACTOR, FrameType.MANIFEST, RANDOM_PART),
          new Moment(FlowDirection.TO_TRANSACTOR, FrameType.SEGMENT, RANDOM_PART),
          new Moment(FlowDirection.TO_TRANSACTOR, FrameType.SEGMENT, RANDOM_PART),
          new Moment(FlowDirection.TO_TRANSACTOR, FrameType.SEGMENT, 0),
          new Moment(FlowDirection.TO_TRANSACTOR, FrameType.CHUNK, RANDOM_PART),
          new Moment(FlowDirection.TO_WORKER, FrameType.CREDIT, RANDOM_PART),
          new Moment(FlowDirection.TO_TRANSACTOR, FrameType.SEAL, RANDOM_PART),
          new Moment(FlowDirection.TO_WORKER, FrameType.HELD, 0),
          new Moment(FlowDirection.TO_WORKER, FrameType.COMMITTED, 0),
          new Moment(FlowDirection.TO_TRANSACTOR, FrameType.JOIN, RANDOM_PART),
          new Moment(FlowDirection.TO_WORKER, FrameType.JOINED, RANDOM_PART));

  static FaultSchedule of(long seed) {
    Random random = new Random(seed);
    boolean segments = random.nextInt(4) > 0;
    boolean large = random.nextInt(16) == 0;
    boolean neighbour = random.nextInt(4) == 0;
    boolean resumable = neighbour || random.nextInt(4) > 0;
    return new FaultSchedule(
        seed,
        segments,
        List.of("none", "none", "none", "lz4").get(random.nextInt(4)),
        large ? MANY_ROWS : 1 + random.nextInt(FEW_ROWS),
        1 + random.nextInt(3),
        resumable ? RESUME_WINDOW : Duration.ZERO,
        neighbour,
        faults(random));
  }

  private static List<WireFault> faults(Random random) {
    List<WireFault> faults = new ArrayList<>();
    for (int count = 1 + random.nextInt(MAX_FAULTS); count > 0; count--) {
      faults.add(fault(random));
    }
    return List.copyOf(faults);
  }

  private static WireFault fault(Random random) {
    int connection = random.nextInt(3) * random.nextInt(3);
    FaultKind kind = KINDS[random.nextInt(KINDS.length)];
    int amount = amount(kind, random);
    FlowDirection affected = direction(random);
    if (random.nextInt(3) == 0) {
      int exponent = random.nextInt(20);
      Place place = new Place.AtByte(random.nextInt(Math.min(MAX_OFFSET, 1 << exponent)));
      return new WireFault(connection, direction(random), place, affected, kind, amount);
    }
    Moment moment = MOMENTS.get(random.nextInt(MOMENTS.size()));
    boolean repeats = moment.type() == FrameType.SEGMENT || moment.type() == FrameType.CHUNK;
    double part = moment.part() == RANDOM_PART ? random.nextDouble() : moment.part();
    Place place = new Place.InFrame(moment.type(), repeats ? random.nextInt(6) : 0, part);
    return new WireFault(connection, moment.direction(), place, affected, kind, amount);
  }

  private static FlowDirection direction(Random random) {
    return random.nextBoolean() ? FlowDirection.TO_TRANSACTOR : FlowDirection.TO_WORKER;
  }

  private static int amount(FaultKind kind, Random random) {
    return switch (kind) {
      case FLIP -> random.nextInt(Byte.SIZE);
      case LOSE -> 1 + random.nextInt(1_000);
      case THROTTLE -> 4_000 + random.nextInt(60_000);
      case DELAY -> random.nextInt(100);
      case SINGLE_BYTES -> 1 + random.nextInt(200);
      default -> 0;
    };
  }

  /** Checks whether the shipment can survive a lost connection. */
  boolean isResumable() {
    return segments && !resumeWindow.isZero();
  }

  /** Checks whether all its faults cost only time. */
  boolean isHarmless() {
    return faults.stream().allMatch(fault -> fault.kind().isHarmless());
  }

  /** Checks whether bytes arrive as they were sent or not at all. */
  boolean keepsBytesRight() {
    return faults.stream()
        .allMatch(fault -> fault.kind().isHarmless() || fault.kind().endsConnection());
  }
}
