#include "catalog/software_product.h"

#include "base/words.h"
#include "catalog/table_reader.h"

namespace podwright {

void read_software_products(std::string_view path, std::string_view text, std::vector<SoftwareProduct>& products,
                            Errors& errors) {
  TableReader table(path, text, {"id", "name", "role", "counted_per", "contained_in", "source", "note"}, errors);
  while (table.next()) {
    SoftwareProduct product;
    table.head(product, table.needed_text("id"), table.needed_text("name"));
    product.role = table.needed_text("role");
    product.counted_per = of_word<LicenceUnit>(table.text("counted_per"), kLicenceUnitWords);
    if (!product.counted_per && !table.text("counted_per").empty())
      table.error("out-of-range", "Licences are not counted per \"" + table.text("counted_per") + "\".",
                  "gpu, node, none, or empty where it is not known");
    product.contained_in = table.text("contained_in");
    product.note = table.text("note");
    products.push_back(std::move(product));
  }
}

}  // namespace podwright
