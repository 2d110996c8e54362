package io.drayage.bench.peers.arrow;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.apache.arrow.flight.FlightDescriptor;

/**
 * The header of a put, in its descriptor: its rows. The schema has columns and types.
 *
 * @param shipment id of the shipment, which a repeated cargo has anew
 * @param tables the names of all tables of the cargo
 * @param parts number of parts of the cargo
 * @param part number of the part of these rows, from 0
 * @param table the table of that part
 * @param kind of the rows
 * @param partRows number of all rows of the part
 * @param firstRow the first row of this put
 * @param rows number of rows of this put
 * @param bits the size of the bit set, if the rows are words of deleted rows
 */
record PutHeader(
    UUID shipment,
    UUID transactionId,
    long baseSnapshot,
    List<String> tables,
    int parts,
    int part,
    int table,
    PutKind kind,
    long partRows,
    long firstRow,
    long rows,
    long bits) {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  /** The kind of a part's rows. */
  enum PutKind {
    /** The inserted rows of a table. */
    INSERTED,
    /** Row ids and values of an updated column. */
    UPDATED,
    /** Words of a bit set. */
    DELETED
  }

  FlightDescriptor toDescriptor() throws IOException {
    return FlightDescriptor.command(JSON.writeValueAsBytes(this));
  }

  static PutHeader of(FlightDescriptor descriptor) throws IOException {
    return JSON.readValue(descriptor.getCommand(), PutHeader.class);
  }
}
