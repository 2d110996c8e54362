package io.drayage.bench.system;

import org.jspecify.annotations.Nullable;

/**
 * The system that the rig measures, in one word: {@code
 * TRANSPORT:SERIALIZER+COMPRESSOR[:LEVEL][@THREADS]}, as in {@code netty:raw+none@2}; or a {@link
 * PeerSystem}, as in {@code arrow-flight}. Made by {@link SystemNotation#parse}.
 *
 * @param transport the name of the transport, or of the peer
 * @param serializer the serializer's name
 * @param compressor the compressor's name
 * @param level the compressor's level; null for its default
 * @param threads codec threads on each side, which also chooses the segments pipeline; null for the
 *     stream pipeline; {@link #ALL_CORES} for {@code @cores}
 */
public record SystemUnderTest(
    String transport,
    String serializer,
    String compressor,
    @Nullable Integer level,
    @Nullable Integer threads) {
  /** The number for as many threads as the machine has cores. */
  public static final int ALL_CORES = 0;

  /** Returns this system with another transport. */
  public SystemUnderTest over(String other) {
    return new SystemUnderTest(other, serializer, compressor, level, threads);
  }

  /** Whether the cargo is shipped in segments; if not, as one stream. */
  public boolean isParallel() {
    return threads != null;
  }

  /** Whether it is a {@link PeerSystem}, which has neither of our pipelines, and no database. */
  public boolean isPeer() {
    return PeerSystem.of(this).isPresent();
  }

  /** Number of codec threads on each side of this machine; 1 for the stream pipeline. */
  public int threadCount() {
    if (threads == null) {
      return 1;
    }
    return threads == ALL_CORES ? Runtime.getRuntime().availableProcessors() : threads;
  }

  /** The notation, as {@link SystemNotation#parse} reads it. */
  @Override
  public String toString() {
    return PeerSystem.of(this)
        .filter(peer -> isPlain(peer))
        .map(PeerSystem::notation)
        .orElseGet(this::inFull);
  }

  private boolean isPlain(PeerSystem peer) {
    return level == null && (serializer + "+" + compressor).equals(peer.plain());
  }

  private String inFull() {
    return threads == null
        ? withoutThreads()
        : withoutThreads() + '@' + (threads == ALL_CORES ? "cores" : threads.toString());
  }

  /** Returns the notation before {@code @THREADS}. */
  String withoutThreads() {
    String codec = "%s:%s+%s".formatted(transport, serializer, compressor);
    return level == null ? codec : codec + ':' + level;
  }
}
