package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.util.ArrayList;
import java.util.List;

/** A bit set as Kryo's {@code FieldSerializer} writes it: its pages of words, then its size. */
final class KryoBitsSerializer extends Serializer<RowBits> {
  private final KryoAccount account;

  KryoBitsSerializer(KryoAccount account) {
    this.account = account;
  }

  @Override
  public void write(Kryo kryo, Output output, RowBits bits) {
    long words = bits.wordCount();
    int pageCount = pageCount(words);
    output.writeVarInt(pageCount + 1, true);
    for (int p = 0; p < pageCount; p++) {
      long[] page = new long[wordsInPage(words, p)];
      for (int w = 0; w < page.length; w++) {
        page[w] = bits.word((long) p * RowBits.WORDS_PER_PAGE + w);
      }
      output.writeVarInt(page.length + 1, true);
      output.writeLongs(page, 0, page.length, false);
    }
    output.writeVarLong(bits.size(), false);
  }

  @Override
  public RowBits read(Kryo kryo, Input input, Class<? extends RowBits> type) {
    int pageCount = account.readLength(input, MemoryAccount.OBJECT_BYTES);
    List<long[]> pages = new ArrayList<>();
    for (int p = 0; p < pageCount; p++) {
      pages.add(input.readLongs(account.readLength(input, Long.BYTES), false));
    }
    long size = input.readVarLong(false);
    requireWholePages(size, pages);
    RowBits bits = new RowBits(size);
    for (int p = 0; p < pageCount; p++) {
      long firstWord = (long) p * RowBits.WORDS_PER_PAGE;
      long[] page = pages.get(p);
      for (int w = 0; w < page.length; w++) {
        bits.setWord(firstWord + w, page[w]);
      }
    }
    return bits;
  }

  /** Before anything is allocated: the size is only a number that came with the stream. */
  private static void requireWholePages(long size, List<long[]> pages) {
    boolean isWhole = size >= 0 && size <= ColumnValues.MAX_ROWS;
    if (isWhole) {
      long words = (size + 63) >>> 6;
      isWhole = pages.size() == pageCount(words);
      for (int p = 0; isWhole && p < pages.size(); p++) {
        isWhole = pages.get(p).length == wordsInPage(words, p);
      }
    }
    if (!isWhole) {
      throw KryoAccount.refusal("a bit set whose pages do not hold %,d rows".formatted(size));
    }
  }

  private static int pageCount(long words) {
    return (int) ((words + RowBits.WORDS_PER_PAGE - 1) / RowBits.WORDS_PER_PAGE);
  }

  private static int wordsInPage(long words, int page) {
    return (int) Math.min(RowBits.WORDS_PER_PAGE, words - (long) page * RowBits.WORDS_PER_PAGE);
  }
}
