package io.drayage.bench.system;

import static io.drayage.internal.Texts.format;

import io.drayage.baseline.stream.StreamOptions;
import io.drayage.database.LoadMode;
import io.drayage.segment.SegmentPlanner;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.TransportOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The options of a system beyond its notation. A system ignores options that it does not use.
 *
 * @param stream the differences of the stream pipeline from the published one
 * @param segments the options of the segments pipeline
 * @param wire the options of a worker's connections
 * @param load the source of a worker's snapshot of its own commit; null: as the command says
 */
public record SystemOptions(
    StreamOptions stream, Segments segments, Wire wire, @Nullable LoadMode load) {
  /** The defaults of all parts of a system. */
  public static final SystemOptions DEFAULT =
      new SystemOptions(
          StreamOptions.PUBLISHED,
          new Segments(SegmentPlanner.DEFAULT_SEGMENT_BYTES, null, null),
          new Wire(TransportOptions.DEFAULT.connections(), null, null),
          null);

  /**
   * The options of the segments pipeline.
   *
   * @param bytes approximate raw bytes of a segment
   * @param workerThreads codec threads of the worker; null: as many as the notation says
   * @param transactorThreads codec threads of the transactor; null: as many as the notation says
   */
  public record Segments(
      int bytes, @Nullable Integer workerThreads, @Nullable Integer transactorThreads) {
    public Segments {
      requireWithin(
          "segmentBytes",
          bytes,
          SegmentsSender.MIN_SEGMENT_BYTES,
          SegmentsSender.MAX_SEGMENT_BYTES);
      requireThreads("workerThreads", workerThreads);
      requireThreads("transactorThreads", transactorThreads);
    }
  }

  /**
   * The options of a worker's connections.
   *
   * @param connections number of connections that it would like to use for a shipment
   * @param bytesPerSecond the rate of the link for a serializer that weighs bytes against time;
   *     null: the rate that the transport knows or the sender measures
   * @param certificates the folder of {@link ThrowAwayCertificates} with which both ends secure
   *     their connections; null: plain text
   */
  public record Wire(
      int connections, @Nullable Long bytesPerSecond, @Nullable String certificates) {
    public Wire {
      requireWithin("connections", connections, 1, TransportOptions.MAX_CONNECTIONS);
    }

    TransportOptions ofWorker() {
      return options(certificates == null ? null : ThrowAwayCertificates.worker(certificates));
    }

    TransportOptions ofTransactor() {
      return options(certificates == null ? null : ThrowAwayCertificates.transactor(certificates));
    }

    private TransportOptions options(@Nullable TlsOptions tls) {
      return TransportOptions.builder()
          .connections(connections)
          .linkBytesPerSecond(bytesPerSecond)
          .tls(tls)
          .build();
    }
  }

  private static void requireThreads(String name, @Nullable Integer count) {
    if (count != null) {
      requireWithin(name, count, 1, SystemNotation.MAX_THREADS);
    }
  }

  private static void requireWithin(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          format("%s must be %,d to %,d, not %,d", name, min, max, value));
    }
  }

  /** Sets the size of a chunk. */
  public SystemOptions withChunkBytes(int bytes) {
    return withStream(stream.withChunkBytes(bytes));
  }

  /** Sets the stream pipeline. */
  public SystemOptions withStream(StreamOptions other) {
    return new SystemOptions(other, segments, wire, load);
  }

  /** Sets the size of a segment. */
  public SystemOptions withSegmentBytes(int bytes) {
    return with(new Segments(bytes, segments.workerThreads, segments.transactorThreads));
  }

  /** Sets the codec threads of both sides; null: as many as the notation asks for. */
  public SystemOptions withThreads(@Nullable Integer worker, @Nullable Integer transactor) {
    return with(new Segments(segments.bytes, worker, transactor));
  }

  private SystemOptions with(Segments other) {
    return new SystemOptions(stream, other, wire, load);
  }

  /** Sets the number of connections. */
  public SystemOptions withConnections(int count) {
    return with(new Wire(count, wire.bytesPerSecond, wire.certificates));
  }

  /** Sets the rate of the link; null: known or measured. */
  public SystemOptions withLinkBytesPerSecond(@Nullable Long rate) {
    return with(new Wire(wire.connections, rate, wire.certificates));
  }

  /** Secures connections with the certificates in this folder. */
  public SystemOptions withCertificates(Path folder) {
    return with(new Wire(wire.connections, wire.bytesPerSecond, folder.toString()));
  }

  private SystemOptions with(Wire other) {
    return new SystemOptions(stream, segments, other, load);
  }

  /** Sets the source of a worker's snapshot of its own commit. */
  public SystemOptions withLoad(LoadMode mode) {
    return new SystemOptions(stream, segments, wire, mode);
  }

  /** The codec threads of the worker of {@code system}; 1 for the stream pipeline. */
  public int workerThreadsOf(SystemUnderTest system) {
    return threads(system, segments.workerThreads);
  }

  /** The codec threads of the transactor of {@code system}; 1 for the stream pipeline. */
  public int transactorThreadsOf(SystemUnderTest system) {
    return threads(system, segments.transactorThreads);
  }

  private static int threads(SystemUnderTest system, @Nullable Integer wanted) {
    return wanted == null || !system.isParallel() ? system.threadCount() : wanted;
  }
}
