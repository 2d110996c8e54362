package io.drayage.bench.system;

import static io.drayage.internal.Texts.format;

import io.drayage.baseline.stream.StreamOptions;
import io.drayage.database.LoadMode;
import io.drayage.segment.SegmentPlanner;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.TransportOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a system is set up beyond its notation. A system ignores what it has no use for.
 *
 * @param stream in what the stream pipeline differs from the published one
 * @param segmentBytes about how many raw bytes a segment has, in the segments pipeline
 * @param connections how many connections a worker would like to use for a shipment
 * @param linkBytesPerSecond what a serializer that weighs bytes against time takes the link to
 *     carry; null: what the transport knows or the sender measures
 * @param workerThreads codec threads of the worker, in the segments pipeline; null: as many as the
 *     notation says
 * @param transactorThreads the same of the transactor
 * @param certificates the folder of {@link ThrowAwayCertificates} with which both ends secure their
 *     connections; null: plain text
 * @param load where a worker gets the snapshot of its own commit from; null: as the command says
 */
public record SystemOptions(
    StreamOptions stream,
    int segmentBytes,
    int connections,
    @Nullable Long linkBytesPerSecond,
    @Nullable Integer workerThreads,
    @Nullable Integer transactorThreads,
    @Nullable String certificates,
    @Nullable LoadMode load) {
  /** What every part of a system takes by itself. */
  public static final SystemOptions DEFAULT =
      new SystemOptions(
          StreamOptions.PUBLISHED,
          SegmentPlanner.DEFAULT_SEGMENT_BYTES,
          TransportOptions.DEFAULT.connections(),
          null,
          null,
          null,
          null,
          null);

  public SystemOptions {
    requireWithin(
        "segmentBytes",
        segmentBytes,
        SegmentsSender.MIN_SEGMENT_BYTES,
        SegmentsSender.MAX_SEGMENT_BYTES);
    requireWithin("connections", connections, 1, TransportOptions.MAX_CONNECTIONS);
    requireThreads("workerThreads", workerThreads);
    requireThreads("transactorThreads", transactorThreads);
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
    return new SystemOptions(
        other,
        segmentBytes,
        connections,
        linkBytesPerSecond,
        workerThreads,
        transactorThreads,
        certificates,
        load);
  }

  /** Sets the size of a segment. */
  public SystemOptions withSegmentBytes(int bytes) {
    return new SystemOptions(
        stream,
        bytes,
        connections,
        linkBytesPerSecond,
        workerThreads,
        transactorThreads,
        certificates,
        load);
  }

  /** Sets the number of connections. */
  public SystemOptions withConnections(int count) {
    return new SystemOptions(
        stream,
        segmentBytes,
        count,
        linkBytesPerSecond,
        workerThreads,
        transactorThreads,
        certificates,
        load);
  }

  /** Secures connections with the certificates in this folder. */
  public SystemOptions withCertificates(Path folder) {
    return new SystemOptions(
        stream,
        segmentBytes,
        connections,
        linkBytesPerSecond,
        workerThreads,
        transactorThreads,
        folder.toString(),
        load);
  }

  /** Sets where a worker gets the snapshot of its own commit from. */
  public SystemOptions withLoad(LoadMode mode) {
    return new SystemOptions(
        stream,
        segmentBytes,
        connections,
        linkBytesPerSecond,
        workerThreads,
        transactorThreads,
        certificates,
        mode);
  }

  /** Sets the rate of the link; null: as it is found. */
  public SystemOptions withLinkBytesPerSecond(@Nullable Long rate) {
    return new SystemOptions(
        stream,
        segmentBytes,
        connections,
        rate,
        workerThreads,
        transactorThreads,
        certificates,
        load);
  }

  /** Sets the codec threads of both sides; null: as many as the notation asks for. */
  public SystemOptions withThreads(@Nullable Integer worker, @Nullable Integer transactor) {
    return new SystemOptions(
        stream,
        segmentBytes,
        connections,
        linkBytesPerSecond,
        worker,
        transactor,
        certificates,
        load);
  }

  /** Payload bytes of a chunk, in the stream pipeline. */
  public int chunkBytes() {
    return stream.chunkBytes();
  }

  /** The codec threads of the worker of {@code system}; 1 for the stream pipeline. */
  public int workerThreadsOf(SystemUnderTest system) {
    return workerThreads == null || !system.isParallel() ? system.threadCount() : workerThreads;
  }

  /** The codec threads of the transactor of {@code system}; 1 for the stream pipeline. */
  public int transactorThreadsOf(SystemUnderTest system) {
    return transactorThreads == null || !system.isParallel()
        ? system.threadCount()
        : transactorThreads;
  }

  TransportOptions ofWorker() {
    return plain().toBuilder()
        .tls(certificates == null ? null : ThrowAwayCertificates.worker(certificates))
        .build();
  }

  TransportOptions ofTransactor() {
    return plain().toBuilder()
        .tls(certificates == null ? null : ThrowAwayCertificates.transactor(certificates))
        .build();
  }

  private TransportOptions plain() {
    return TransportOptions.builder()
        .connections(connections)
        .linkBytesPerSecond(linkBytesPerSecond)
        .build();
  }
}
