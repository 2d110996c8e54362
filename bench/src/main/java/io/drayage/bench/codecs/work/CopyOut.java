package io.drayage.bench.codecs.work;

import io.drayage.cargo.ChangeCargo;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference for serialization: every page is copied as it is into direct buffers, which are
 * used in turns like the pooled buffers of {@link SegmentSerialization}. No bytes can be made with
 * less work.
 */
final class CopyOut extends Work {
  private static final int PIECE_BYTES = 1 << 20;

  /** So that no copy has to deal with what the page before left unaligned. */
  private static final int ALIGNMENT_BYTES = 64;

  private final ChangeCargo cargo;
  private final List<CopyPage> pages;
  private final List<ByteBuffer> ring = new ArrayList<>();
  private int next;

  CopyOut(ChangeCargo cargo) {
    super(CopyPage.bytesOf(cargo));
    this.cargo = cargo;
    this.pages = CopyPage.of(cargo);
    for (int i = 0; i < SegmentSerialization.IN_FLIGHT_BYTES / PIECE_BYTES; i++) {
      ring.add(CopyPage.allocate(PIECE_BYTES));
    }
    encoded(rawBytes(), 0);
  }

  @Override
  public Object run() {
    ByteBuffer target = nextPiece();
    for (CopyPage page : pages) {
      int width = page.type().widthBytes();
      for (int done = 0; done < page.rows(); ) {
        int count = Math.min(page.rows() - done, target.remaining() / width);
        if (count == 0) {
          target = nextPiece();
        } else {
          CopyPage.put(page.array(), done, count, target);
          int end = target.position() + count * width;
          target.position(Math.min(PIECE_BYTES, (end + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES));
          done += count;
        }
      }
    }
    return target;
  }

  private ByteBuffer nextPiece() {
    ByteBuffer piece = ring.get(next);
    next = (next + 1) % ring.size();
    return piece.clear();
  }

  @Override
  public void verify(long digest) throws Exception {
    try (Work reading = new CopyIn(cargo)) {
      reading.verify(digest);
    }
  }
}
