package com.example.drayage;

import io.drayage.codec.Compressor;
import io.drayage.codec.SegmentCompressor;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The JDK's Deflate without its search for repetitions: only frequent bytes become shorter. */
public final class HuffmanCompressor implements Compressor {
  @Override
  public int id() {
    return 200; // 128 to 255 are for users
  }

  @Override
  public String name() {
    return "huffman";
  }

  @Override
  public int maxRatio() {
    return 1_032; // the ratio of Deflate
  }

  @Override
  public SegmentCompressor newSegmentCompressor() {
    return new HuffmanSegments(newDeflater(), new Inflater());
  }

  private static Deflater newDeflater() {
    Deflater deflater = new Deflater();
    deflater.setStrategy(Deflater.HUFFMAN_ONLY);
    return deflater;
  }

  private record HuffmanSegments(Deflater deflater, Inflater inflater)
      implements SegmentCompressor {
    @Override
    public boolean compress(ByteBuffer source, ByteBuffer target) {
      deflater.reset();
      deflater.setInput(source);
      deflater.finish();
      while (!deflater.finished() && target.hasRemaining()) {
        deflater.deflate(target);
      }
      return deflater.finished();
    }

    @Override
    public void decompress(ByteBuffer source, ByteBuffer target) throws ShipmentException {
      inflater.reset();
      inflater.setInput(source);
      try {
        inflater.inflate(target);
        // The end marker follows the last byte. The inflater reads it only if the target has room.
        boolean longer = !inflater.finished() && inflater.inflate(new byte[1]) > 0;
        if (target.hasRemaining() || longer || !inflater.finished() || source.hasRemaining()) {
          throw new ShipmentException(Fault.DECODE, "huffman data of another length than stated");
        }
      } catch (DataFormatException e) {
        throw new ShipmentException(Fault.DECODE, "no huffman data: " + e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      deflater.end();
      inflater.end();
    }
  }
}
