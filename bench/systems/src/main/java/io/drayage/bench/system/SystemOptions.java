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
 * How a system is set up beyond its notation. A system ignores what it has no use for.
 *
 * @param stream in what the stream pipeline differs from the published one
 * @param segments how the segments pipeline is set up
 * @param wire how a worker connects
 * @param load where a worker gets the snapshot of its own commit from; null: as the command says
 */
public record SystemOptions(
    StreamOptions stream, Segments segments, Wire wire, @Nullable LoadMode load) {
  /** What every part of a system takes by itself. */
  public static final SystemOptions DEFAULT =
      new SystemOptions(
          StreamOptions.PUBLISHED,
          new Segments(SegmentPlanner.DEFAULT_SEGMENT_BYTES, null, null),
          new Wire(TransportOptions.DEFAULT.connections(), null, null),
          null);

  /**
   * How the segments pipeline is set up.
   *
   * @param bytes about how many raw bytes a segment has
   * @param workerThreads codec threads of the worker; null: as many as the notation says
   * @param transactorThreads the same of the transactor
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
   * How a worker connects.
   *
   * @param connections how many connections it would like to use for a shipment
   * @param bytesPerSecond what a serializer that weighs bytes against time takes the link to carry;
   *     null: what the transport knows or the sender measures
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

  /** Sets the rate of the link; null: as it is found. */
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

  /** Sets where a worker gets the snapshot of its own commit from. */
  public SystemOptions withLoad(LoadMode mode) {
    return new SystemOptions(stream, segments, wire, mode);
  }

  /** Payload bytes of a chunk, in the stream pipeline. */
  public int chunkBytes() {
    return stream.chunkBytes();
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
