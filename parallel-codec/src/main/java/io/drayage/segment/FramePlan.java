package io.drayage.segment;

import io.drayage.frame.Credit;
import java.util.Arrays;
import java.util.List;

/**
 * The division of a cargo's segments into frames. Consecutive small segments form a run, so that a
 * cargo of thousands of tiny columns needs only a few frames. Any other segment has its own frame.
 * The plan depends only on the manifest and the target. Immutable, thread-safe.
 */
public final class FramePlan {
  /** Maximum bytes of a run. The bytes that serializers add must still fit into a frame. */
  public static final int MAX_RUN_BYTES = 1 << 20;

  /** Bytes of a segment in a run beyond its raw bytes; no serializer adds more to a tiny one. */
  public static final int SEGMENT_OVERHEAD_BYTES = 256;

  /** A segment larger than the target divided by this is not part of a run. */
  private static final int SMALL_SHARE = 4;

  private static final int FRAME_NUMBER_BITS = 22;

  private final Manifest manifest;

  /** The first segment of each frame, and one beyond the last segment. */
  private final int[] firstSegments;

  private FramePlan(Manifest manifest, int[] firstSegments) {
    this.manifest = manifest;
    this.firstSegments = firstSegments;
  }

  /**
   * Plans the frames of a cargo.
   *
   * @param segmentBytes the target of the {@link SegmentPlanner} that created the manifest
   */
  public static FramePlan of(Manifest manifest, int segmentBytes) {
    int maxRunBytes = Math.min(segmentBytes, MAX_RUN_BYTES);
    List<Segment> segments = manifest.segments();
    int[] firsts = new int[segments.size() + 1];
    int frames = 0;
    long openBytes = Long.MAX_VALUE;
    for (Segment segment : segments) {
      long bytes = maxRawBytes(segment) + SEGMENT_OVERHEAD_BYTES;
      boolean small = bytes <= maxRunBytes / SMALL_SHARE;
      if (!small || openBytes > maxRunBytes - bytes) {
        firsts[frames++] = segment.index();
        openBytes = 0;
      }
      openBytes = small ? openBytes + bytes : Long.MAX_VALUE;
    }
    firsts[frames] = segments.size();
    return new FramePlan(manifest, Arrays.copyOf(firsts, frames + 1));
  }

  /** Exact for a fixed width. One text may be longer than all other texts of its part. */
  private static long maxRawBytes(Segment segment) {
    Part part = segment.part();
    boolean text = part.type() != null && !part.type().isFixedWidth();
    return text ? part.rawBytes() : segment.estimatedRawBytes();
  }

  /** The shape of the cargo. */
  public Manifest manifest() {
    return manifest;
  }

  /** Number of frames of the segments. */
  public int frameCount() {
    return firstSegments.length - 1;
  }

  /** The number of the first segment of frame {@code frame}. */
  public int firstSegment(int frame) {
    return firstSegments[frame];
  }

  /** The consecutive segments of frame {@code frame}, one or more. */
  public List<Segment> segments(int frame) {
    return manifest.segments().subList(firstSegments[frame], firstSegments[frame + 1]);
  }

  /** Approximate raw bytes of the segments of frame {@code frame}. */
  public long estimatedRawBytes(int frame) {
    return Segment.estimatedRawBytes(segments(frame));
  }

  /**
   * The sum of the charges of all frames of the cargo in bytes, manifest and seal included. The
   * actual sum is larger only if a serializer doubles the values.
   */
  public long creditBytes() {
    long bytes = Credit.MIN_CHARGE_BYTES;
    bytes += Credit.charge(ManifestCodec.frameBytes(manifest));
    for (int frame = 0; frame < frameCount(); frame++) {
      int count = firstSegments[frame + 1] - firstSegments[frame];
      long mostBytes =
          2 * estimatedRawBytes(frame)
              + (long) count * SEGMENT_OVERHEAD_BYTES
              + Credit.MIN_CHARGE_BYTES;
      bytes += Math.min(Credit.MAX_CHARGE_BYTES, mostBytes);
    }
    return bytes;
  }

  /** All frames, in descending order of their raw bytes. */
  public int[] largestFirst() {
    long[] keys = new long[frameCount()];
    for (int frame = 0; frame < keys.length; frame++) {
      keys[frame] = -estimatedRawBytes(frame) << FRAME_NUMBER_BITS | frame;
    }
    Arrays.sort(keys);
    int[] frames = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      frames[i] = (int) keys[i] & ((1 << FRAME_NUMBER_BITS) - 1);
    }
    return frames;
  }
}
