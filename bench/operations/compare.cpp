// SSIM of two pictures, on their luma as shown (upright, sRGB, transparency on white): 1 means alike. Gaussian windows
// of sigma 1.5 and the usual constants.
#include <iostream>
#include <vips/vips8>

namespace {

using vips::VImage;

VImage shown(const char* path) {
    VImage image = VImage::new_from_file(path).autorot();
    if (image.get_typeof(VIPS_META_ICC_NAME) != 0) {
        image = image.icc_transform("srgb", VImage::option()->set("embedded", true));
    }
    image = image.colourspace(VIPS_INTERPRETATION_sRGB);
    if (image.has_alpha()) image = image.flatten(VImage::option()->set("background", std::vector<double>{255}));
    const VImage weights = VImage::new_matrixv(3, 1, 0.299, 0.587, 0.114);
    return image.extract_band(0, VImage::option()->set("n", 3)).recomb(weights).cast(VIPS_FORMAT_FLOAT).copy_memory();
}

VImage blurred(const VImage& image) {
    return image.gaussblur(1.5, VImage::option()->set("precision", VIPS_PRECISION_FLOAT)->set("min_ampl", 0.02));
}

double ssim(const VImage& a, const VImage& b) {
    const double c1 = 6.5025;
    const double c2 = 58.5225;
    const VImage mean_a = blurred(a);
    const VImage mean_b = blurred(b);
    const VImage var_a = blurred(a * a) - mean_a * mean_a;
    const VImage var_b = blurred(b * b) - mean_b * mean_b;
    const VImage both = blurred(a * b) - mean_a * mean_b;
    const VImage top = (mean_a * mean_b * 2 + c1) * (both * 2 + c2);
    const VImage bottom = (mean_a * mean_a + mean_b * mean_b + c1) * (var_a + var_b + c2);
    return (top / bottom).avg();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    if (VIPS_INIT(argv[0]) != 0) return 1;
    try {
        std::cout << ssim(shown(argv[1]), shown(argv[2])) << '\n';
    } catch (const vips::VError& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
