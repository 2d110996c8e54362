package io.drayage.segment.internal;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.Latin1Texts;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.internal.TextHeap;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentScratch;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Some columns of a cargo, put together from its segments; those of others are not decoded.
 * Otherwise as a {@link CargoAssembler}.
 */
public final class PartialAssembler extends CargoSink {
  private final @Nullable PartContent[] contents;
  private final @Nullable TextHeap texts;
  private final ChangeCargo cargo;

  /**
   * @param manifest checked against the receiver's limits
   * @param wanted the columns by table and name; the name of a table's deleted rows is empty. A
   *     table of which nothing is wanted is left out
   * @param texts gets the texts; their columns become the longs that are their numbers there. Null
   *     if they stay what they are
   * @throws ShipmentException {@code MANIFEST} if the parts make no cargo, saying why
   */
  public PartialAssembler(
      Manifest manifest, BiPredicate<String, String> wanted, @Nullable TextHeap texts)
      throws ShipmentException {
    super(manifest);
    this.texts = texts;
    this.contents = new PartContent[manifest.parts().size()];
    List<Part> parts =
        manifest.parts().stream().filter(part -> wanted.test(part.table(), part.column())).toList();
    parts.forEach(part -> contents[part.index()] = allocate(part));
    List<String> tables = parts.stream().map(Part::table).distinct().toList();
    this.cargo =
        CargoAssembler.build(
            manifest, tables, parts, part -> Objects.requireNonNull(contents[part]));
  }

  private PartContent allocate(Part part) {
    return texts != null && part.type() == ColumnType.STRING
        ? ColumnValues.allocate(ColumnType.LONG, part.rowCount(), false)
        : CargoAssembler.allocate(part);
  }

  @Override
  public boolean wants(Segment segment) {
    return contents[segment.part().index()] != null;
  }

  @Override
  public void decode(
      Segment segment, ByteBuffer source, SegmentSerializer serializer, SegmentScratch scratch)
      throws ShipmentException {
    PartContent content = contents[segment.part().index()];
    if (content == null) {
      return;
    }
    if (texts == null || segment.part().type() != ColumnType.STRING) {
      serializer.deserialize(segment, source, content);
      countTexts(segment, content, segment.firstRow());
    } else {
      decode(segment, source, serializer, scratch, texts, (ColumnValues) content);
    }
  }

  private void decode(
      Segment segment,
      ByteBuffer source,
      SegmentSerializer serializer,
      SegmentScratch scratch,
      TextHeap heap,
      ColumnValues numbers)
      throws ShipmentException {
    Latin1Texts narrow = serializer.deserializeTexts(segment, source);
    if (narrow != null) {
      int rows = segment.rowCount();
      countTexts(
          segment,
          rows * (long) CargoSize.TEXT_LENGTH_BYTES + narrow.start(rows) - narrow.start(0));
      heap.add(narrow, numbers, segment.firstRow());
      return;
    }
    PartContent decoded = scratch.decode(segment, source, serializer);
    countTexts(segment, decoded, 0);
    ColumnValues pages = (ColumnValues) decoded;
    for (int row = 0; row < segment.rowCount(); row += pages.rowsPerPage()) {
      int count = Math.min(pages.rowsPerPage(), segment.rowCount() - row);
      heap.add((String[]) pages.page(pages.pageOf(row)), count, numbers, segment.firstRow() + row);
    }
  }

  /** What is wanted of the cargo, complete once every segment has been decoded. */
  public ChangeCargo cargo() {
    return cargo;
  }
}
