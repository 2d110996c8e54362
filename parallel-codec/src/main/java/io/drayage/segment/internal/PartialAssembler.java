package io.drayage.segment.internal;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.TableSchema;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Assembles some columns of a cargo from its segments. Segments of other columns are not decoded.
 * Otherwise like a {@link CargoAssembler}.
 */
public final class PartialAssembler extends CargoSink {
  private final Predicate<Segment> needed;
  private final @Nullable PartContent[] contents;
  private final ChangeCargo cargo;

  /**
   * @param manifest checked against the receiver's limits
   * @param wanted the columns by table and name; the name of a table's deleted rows is empty. A
   *     table without a wanted column is left out
   * @param needed whether a segment of a wanted column is decoded
   * @throws ShipmentException {@code MANIFEST} if the parts make no cargo, with the reason
   */
  public PartialAssembler(
      Manifest manifest, BiPredicate<String, String> wanted, Predicate<Segment> needed)
      throws ShipmentException {
    super(manifest);
    this.needed = needed;
    this.contents = new PartContent[manifest.parts().size()];
    List<Part> parts =
        manifest.parts().stream().filter(part -> wanted.test(part.table(), part.column())).toList();
    parts.forEach(part -> contents[part.index()] = CargoAssembler.allocate(part));
    List<String> tables = parts.stream().map(Part::table).distinct().toList();
    List<TableSchema> newTables = TableSchema.only(manifest.newTables(), wanted);
    this.cargo =
        CargoAssembler.build(
            manifest, newTables, tables, parts, part -> Objects.requireNonNull(contents[part]));
  }

  @Override
  public boolean wants(Segment segment) {
    return contents[segment.part().index()] != null && needed.test(segment);
  }

  @Override
  public void decode(
      Segment segment, ByteBuffer source, SegmentSerializer serializer, SegmentScratch scratch)
      throws ShipmentException {
    PartContent content = contents[segment.part().index()];
    if (content != null && needed.test(segment)) {
      fill(content, segment, source, serializer, scratch);
    }
  }

  /**
   * Returns the wanted columns, which are complete when every segment has been decoded. A page
   * without a needed segment is null.
   */
  public ChangeCargo cargo() {
    return cargo;
  }
}
