package io.drayage.baseline.stream;

import static io.drayage.internal.Texts.format;

/**
 * The differences of a stream pipeline from the published one. Each option is one suspect of the
 * study, so that each can be removed alone. Both ends use the same options.
 *
 * @param chunkBytes payload bytes of every chunk but the last
 * @param queueChunks the most chunks that wait on the worker
 * @param flushes whether a flush of the serializer reaches the compressor
 * @param readBufferBytes bytes that the deserializer reads ahead; 0 for none
 */
public record StreamOptions(int chunkBytes, int queueChunks, boolean flushes, int readBufferBytes) {
  /** Payload bytes of a chunk as published: 63 kB. */
  public static final int PUBLISHED_CHUNK_BYTES = 63_000;

  /** The smallest chunk that an option allows, in payload bytes. */
  public static final int MIN_CHUNK_BYTES = 1_000;

  /** The largest chunk that an option allows, in payload bytes. */
  public static final int MAX_CHUNK_BYTES = 4 << 20;

  /** The most chunks that wait, however small they are. */
  public static final int MAX_QUEUE_CHUNKS = 1_024;

  /** The least bound: one chunk is sent while another is made, however large they are. */
  public static final int MIN_QUEUE_CHUNKS = 2;

  /** The largest read buffer that an option allows. */
  public static final int MAX_READ_BUFFER_BYTES = 4 << 20;

  /** The published pipeline, as far as the study describes it. */
  public static final StreamOptions PUBLISHED =
      new StreamOptions(PUBLISHED_CHUNK_BYTES, MAX_QUEUE_CHUNKS, true, 0);

  /**
   * @throws IllegalArgumentException if a number is outside its limits
   */
  public StreamOptions {
    requireWithin("bytes of a chunk", chunkBytes, MIN_CHUNK_BYTES, MAX_CHUNK_BYTES);
    requireWithin("chunks in the queue", queueChunks, MIN_QUEUE_CHUNKS, MAX_QUEUE_CHUNKS);
    requireWithin("bytes to read ahead", readBufferBytes, 0, MAX_READ_BUFFER_BYTES);
  }

  private static void requireWithin(String what, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          format("%,d %s are outside %,d to %,d", value, what, min, max));
    }
  }

  /** Returns these options with chunks of another size. */
  public StreamOptions withChunkBytes(int bytes) {
    return new StreamOptions(bytes, queueChunks, flushes, readBufferBytes);
  }

  /** Returns these options with another bound of the worker's queue. */
  public StreamOptions withQueueChunks(int chunks) {
    return new StreamOptions(chunkBytes, chunks, flushes, readBufferBytes);
  }

  /** Returns these options, with flushes that do not reach the compressor. */
  public StreamOptions withoutFlushes() {
    return new StreamOptions(chunkBytes, queueChunks, false, readBufferBytes);
  }

  /** Returns these options with a deserializer that reads ahead. */
  public StreamOptions withReadBufferBytes(int bytes) {
    return new StreamOptions(chunkBytes, queueChunks, flushes, bytes);
  }
}
